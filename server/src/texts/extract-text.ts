import { EXTRACTORS } from './extractors/extractors.ts';
import type { FormatName } from './formats.ts';
import { NoText, type NoTextReason, TextLimitReached } from './no-text.ts';
import { TextCollector } from './text-collector.ts';

interface Options {
  /** Whether the extraction should come to an end. */
  readonly isTimeUp?: () => boolean;
  /** Gets the text found so far, in pieces. */
  readonly onPiece?: (piece: string) => void;
}

/**
 * Takes the text from the bytes of a file.
 * @returns the text as UTF-8, or why there is none
 */
export async function extractText(
  format: FormatName,
  bytes: Buffer,
  { isTimeUp = () => false, onPiece }: Options = {},
): Promise<Buffer | NoTextReason> {
  const out = new TextCollector(onPiece);
  try {
    const extract = await EXTRACTORS[format]();
    await extract(bytes, out, isTimeUp);
  } catch (error) {
    const reason = reasonOf(error, out);
    if (reason !== undefined) return reason;
  }
  return out.toUtf8();
}

/** Undefined if the text so far is valid. Libraries throw all kinds of errors for damaged files. */
function reasonOf(error: unknown, out: TextCollector): NoTextReason | undefined {
  if (error instanceof TextLimitReached) return undefined;
  if (!(error instanceof NoText)) return 'damaged';
  return error.reason === 'over-limit' && !out.isEmpty ? undefined : error.reason;
}
