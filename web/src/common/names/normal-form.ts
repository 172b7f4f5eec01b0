/** More code units than any name has. */
export const MAX_NAME_LENGTH = 1_024;
/** More code units than any path has that the service accepts. */
export const MAX_PATH_LENGTH = 8_192;

/**
 * The form (NFC) in which the service stores names. Longer text stays as it is: no name is that long, and the
 * time grows with the square of a run of combining marks, so that a stranger's file name could stop the page.
 */
export function toNormalForm(text: string, mostUnits: number, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string {
  return text.length > mostUnits ? text : text.normalize(form);
}

/** A letter without its accents; the same letter if that would have another length, or if it has many. */
export function withoutAccents(letter: string): string {
  if (letter.length > 2) return letter;
  const base = letter.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  return base.length === letter.length ? base : letter;
}
