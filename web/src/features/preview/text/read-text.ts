import { readContentTag } from '../../../../../client/src/common/content-tag.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { fetchAnswer } from '../../../api/ask.ts';
import { type DecodedText, toText } from './text-bytes.ts';
import type { Encoding } from './text-encodings.ts';

/** The maximum that a page can show without a noticeable delay. */
export const MAX_TEXT_BYTES = 1_048_576;

/** The beginning of a text file, or all of it. */
export interface LoadedText extends DecodedText {
  /** Identifies the content, so saving does not overwrite someone else's change. */
  readonly etag: string | undefined;
}

interface TextSource {
  readonly address: string;
  /** In bytes. */
  readonly size: number;
  /** The encoding that the reader has chosen; otherwise it is detected. */
  readonly encoding: Encoding | undefined;
}

/** Reads the file at an address as text; null if it is not text. @throws HoldallError */
export async function readText(source: TextSource, signal: AbortSignal): Promise<LoadedText | null> {
  const { address, size, encoding } = source;
  const isCut = size > MAX_TEXT_BYTES;
  const range = isCut ? { range: `bytes=0-${MAX_TEXT_BYTES - 1}` } : undefined;
  const response = await fetchAnswer(address, {
    ...(range && { headers: range }),
    signal,
  });
  if (!response.ok) throw errorOf(response.status, 'The file could not be read.');
  const found = await toText(new Uint8Array(await response.arrayBuffer()), isCut, encoding);
  return found === undefined ? null : { ...found, etag: readContentTag(response) };
}
