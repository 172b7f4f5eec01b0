import { Failure } from '../../base/failure.ts';
import { foldName } from '../../base/text/names/file-name.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';

export const MAX_FILTER_LENGTH = 256;

/**
 * Folds a search text, so that upper and lower case match. Empty means no filter.
 * @throws Failure `invalid`
 */
export function toTextFilter(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const normalized = toNormalForm(text, MAX_FILTER_LENGTH);
  if (normalized === undefined) {
    throw new Failure('invalid', `A search text must have at most ${MAX_FILTER_LENGTH} characters.`);
  }
  return foldName(normalized);
}
