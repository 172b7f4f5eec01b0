import { Failure } from '../../base/failure.ts';
import { foldName } from '../../base/text/file-name.ts';

const MAX_FILTER_LENGTH = 256;

/**
 * Folds a search text, so that upper and lower case match. Empty means no filter.
 * @throws Failure `invalid`
 */
export function toTextFilter(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length > MAX_FILTER_LENGTH || text.includes('\u0000')) {
    throw new Failure(
      'invalid',
      `A search text must have at most ${MAX_FILTER_LENGTH} characters, none of them NUL.`,
    );
  }
  return foldName(text.normalize('NFC'));
}
