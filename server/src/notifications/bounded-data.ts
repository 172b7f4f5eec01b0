import { toPlainLine } from '../base/text/plain-line.ts';
import { shorten } from '../base/text/shorten.ts';

/** The maximum number of bytes of a notification's data, as JSON. */
const MAX_BYTES = 4 * 1024;
/** The maximum number of characters of each text. Shorter if all texts together are too long. */
const MAX_CHARACTERS = 512;

/**
 * Makes every text in the data one line, and shortens long ones, until the data has at most 4 KiB as JSON.
 * @throws if the data is longer without its texts
 */
export function toBoundedData<T extends object>(data: T): T {
  for (let max = MAX_CHARACTERS; max >= 1; max = Math.floor(max / 2)) {
    const json = JSON.stringify(data, (_, value) =>
      typeof value === 'string' ? shorten(toPlainLine(value), max) : value,
    );
    if (Buffer.byteLength(json) <= MAX_BYTES) return JSON.parse(json);
  }
  throw new Error(`The data of a notification has more than ${MAX_BYTES} bytes.`);
}
