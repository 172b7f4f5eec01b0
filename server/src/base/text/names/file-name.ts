import { Failure } from '../../failure.ts';
import { MAX_UNITS_PER_BYTE, toNormalForm } from './normal-form.ts';

declare const brand: unique symbol;

/**
 * The name of an entry: NFC, 1-255 bytes of UTF-8, no separator, no control character, not `.` or `..`, not
 * blank. Leading and trailing blanks are part of the name.
 */
export type FileName = string & { readonly [brand]: 'FileName' };

/** Counted in UTF-8. */
export const MAX_NAME_BYTES = 255;
/**
 * The maximum length of a name before it is normalised, in code units. Longer text never becomes a valid
 * name.
 */
export const MAX_NAME_LENGTH = Math.floor(MAX_NAME_BYTES * MAX_UNITS_PER_BYTE);

// Separators, and C0 and C1 control characters. Lone surrogates, which have no UTF-8 form, are checked
// separately.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters.
const FORBIDDEN = /[/\\\u0000-\u001f\u007f-\u009f]/;

const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'g');

/** @throws Failure `invalid` when the text is not a valid name */
export function toFileName(text: string): FileName {
  const name = toNormalForm(text, MAX_NAME_LENGTH);
  const fault = findFault(name);
  if (name === undefined || fault !== undefined) throw new Failure('invalid', `The name ${fault}.`);
  return name as FileName;
}

/** Whether the text is a valid name without any change. */
export function isFileName(text: string): text is FileName {
  return toNormalForm(text, MAX_NAME_LENGTH) === text && findFault(text) === undefined;
}

// Two extensions belong together, as in "backup.tar.gz".
const EXTENSION = /.(?<extension>(?:\.tar)?\.[^. ]{1,12})$/su;

/**
 * The valid name closest to a text: `_` replaces characters that names cannot have, and long names are
 * shortened. A shortened name keeps its extension.
 */
export function toClosestFileName(text: string): FileName {
  const allowed = text.replaceAll(ALL_FORBIDDEN, '_').toWellFormed();
  const normal = toNormalForm(allowed, MAX_NAME_LENGTH) ?? allowed;
  const name = toNormalForm(shortenFileName(normal, MAX_NAME_BYTES), MAX_NAME_LENGTH);
  return (findFault(name) === undefined ? name : '_') as FileName;
}

/** Cuts whole characters off the end of the part before the extension. */
export function shortenFileName(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const extension = EXTENSION.exec(text)?.groups?.extension ?? '';
  const stem = text.slice(0, text.length - extension.length);
  return shortenName(stem, maxBytes - Buffer.byteLength(extension)) + extension;
}

/** Cuts whole characters off the end. */
export function shortenName(text: string, maxBytes: number): string {
  const characters = [...text];
  let bytes = Buffer.byteLength(text);
  while (bytes > maxBytes && characters.length > 1) bytes -= Buffer.byteLength(characters.pop() ?? '');
  return characters.join('');
}

function findFault(name: string | undefined): string | undefined {
  if (name === undefined || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return `must not be longer than ${MAX_NAME_BYTES} bytes`;
  }
  if (name.trim() === '') return 'must not be blank';
  if (name === '.' || name === '..') return 'must not be "." or ".."';
  if (FORBIDDEN.test(name)) return 'must not contain "/", "\\" or control characters';
  if (!name.isWellFormed()) return 'is not valid Unicode';
  return undefined;
}

/**
 * The form of a name for sorting and searching without regard to case. It is computed here and stored,
 * because the database engines fold differently, and SQLite folds ASCII only.
 *
 * @throws Failure `invalid` for text that is longer than names can be
 */
export function foldName(name: string): string {
  // Lower case turns a final sigma into another letter than elsewhere, so a part of a name might not be found
  // in the name. NFC comes last, because some lower-case letters have a composed form where the capital has
  // none.
  const folded =
    name.length > MAX_NAME_LENGTH
      ? undefined
      : // Lower case turns one code unit into at most two.
        toNormalForm(name.toLowerCase().replaceAll('ς', 'σ'), 2 * MAX_NAME_LENGTH);
  if (folded === undefined) throw new Failure('invalid', 'The text is longer than names can be.');
  return folded;
}
