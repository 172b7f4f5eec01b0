import { Failure } from '../../base/failure.ts';
import { foldName } from '../../base/text/file-name.ts';

const MAX_FILTER = 256;

/** A part of a name to look for, without regard to case; blank means none. @throws Failure `invalid` */
export function toTextFilter(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length > MAX_FILTER || text.includes('\u0000')) {
    throw new Failure('invalid', `What is looked for must be at most ${MAX_FILTER} characters of text.`);
  }
  return foldName(text.normalize('NFC'));
}
