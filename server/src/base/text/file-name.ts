import { Failure } from '../failure.ts';

declare const brand: unique symbol;

/**
 * A name of an entry: NFC, 1-255 bytes of UTF-8, no separator, no control character, not `.` or `..`, not
 * blank. Outer blanks belong to the name (contract, section 3).
 */
export type FileName = string & { readonly [brand]: 'FileName' };

const MAX_NAME_BYTES = 255;

// Separators; C0 and C1 controls. A lone surrogate has no UTF-8 form and is tested apart.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const FORBIDDEN = /[/\\\u0000-\u001f\u007f-\u009f]/;

/** @throws Failure `invalid` when the text cannot be a name */
export function toFileName(text: string): FileName {
  const name = text.normalize('NFC');
  const fault = findFault(name);
  if (fault !== undefined) throw new Failure('invalid', `The name ${fault}.`);
  return name as FileName;
}

function findFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be blank';
  if (name === '.' || name === '..') return 'must not be "." or ".."';
  if (FORBIDDEN.test(name)) return 'must not contain "/", "\\" or control characters';
  if (!name.isWellFormed()) return 'is not valid Unicode';
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `must not be longer than ${MAX_NAME_BYTES} bytes`;
  return undefined;
}

/**
 * The form under which names are ordered and searched without regard to case. Computed here, once for both
 * engines, because SQL engines fold differently and SQLite knows ASCII only.
 */
export function foldName(name: string): string {
  // A sigma is written otherwise at the end of a word, so a part of a name would not be found in it. And small
  // letters may have a composed form where the capitals had none.
  return name.toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
