import * as server from '../../../../server/src/base/text/names/normal-form.ts';

/** No name has more code units than this. */
export const MAX_NAME_LENGTH = 1_024;
/** No path that the service accepts has more code units than this. */
export const MAX_PATH_LENGTH = 8_192;

/**
 * The form (NFC) in which the service stores names. Longer text stays unchanged, because no name is that
 * long. The limit also protects the page: normalising takes quadratic time in the number of combining marks,
 * so a stranger's file name could block it.
 */
export function toNormalForm(text: string, mostUnits: number, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string {
  return server.toNormalForm(text, mostUnits, form) ?? text;
}

/** A letter without its accents. Stays unchanged if its length would change, or if it has many accents. */
export function withoutAccents(letter: string): string {
  const base = toNormalForm(letter, 2, 'NFD').replace(/[\u0300-\u036f]/g, '');
  return base.length === letter.length ? base : letter;
}
