/** The marker of a data set, and the record that contains the dates. */
const MARKER = 0x1c;
const RECORD = 2;
const DATES: readonly (readonly [date: number, time: number])[] = [
  // When it was created, and when it was digitised.
  [55, 60],
  [62, 63],
];

/** In a JPEG, the data sets are in Photoshop's resources, which begin with this header. */
export const PHOTOSHOP_HEADER = 'Photoshop 3.0\0';
const IPTC_RESOURCE = 0x0404;

/**
 * Reads the times of IPTC-IIM data sets, such as `20260706` and `070403+0200`, as `2026:07:06 07:04:03+0200`.
 */
export function readIptcTimes(bytes: Buffer): readonly string[] {
  const texts = new Map<number, string>();
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === MARKER; ) {
    const length = bytes.readUInt16BE(at + 3);
    // A longer data set has an extended length, and cannot be a date.
    if (length >= 0x8000) break;
    const text = bytes.toString('latin1', at + 5, at + 5 + length);
    if (bytes[at + 1] === RECORD && !texts.has(bytes[at + 2] ?? 0)) texts.set(bytes[at + 2] ?? 0, text);
    at += 5 + length;
  }
  return DATES.flatMap(([date, time]) => {
    const day = /^(\d{4})(\d\d)(\d\d)$/.exec(texts.get(date) ?? '');
    if (day === null) return [];
    const clock = /^(\d\d)(\d\d)(\d\d)([+-]\d{4})?/.exec(texts.get(time) ?? '');
    const written = clock === null ? '' : ` ${clock[1]}:${clock[2]}:${clock[3]}${clock[4] ?? ''}`;
    return [`${day[1]}:${day[2]}:${day[3]}${written}`];
  });
}

/** Finds the data sets among Photoshop's resources. */
export function findIptcResource(bytes: Buffer): Buffer | undefined {
  for (let at = 0; at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === '8BIM'; ) {
    const id = bytes.readUInt16BE(at + 4);
    // The name and the content are padded to an even length.
    const nameBytes = 1 + (bytes[at + 6] ?? 0);
    const lengthAt = at + 6 + nameBytes + (nameBytes % 2);
    if (lengthAt + 4 > bytes.length) return undefined;
    const length = bytes.readUInt32BE(lengthAt);
    if (id === IPTC_RESOURCE) return bytes.subarray(lengthAt + 4, lengthAt + 4 + length);
    at = lengthAt + 4 + length + (length % 2);
  }
  return undefined;
}
