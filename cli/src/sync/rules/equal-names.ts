// The drive stores names in NFC. Names of one directory that differ only in their Unicode normal form are one
// name there.

/**
 * The only characters of ASCII that are the NFC of other characters: those of Kelvin, of a Greek question and
 * accent.
 */
const HAS_OTHER_FORM = /[K;`]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression covers all of ASCII.
const IS_ASCII = /^[\u0000-\u007f]*$/;

/** Names of a directory on disk that are the same name in the drive, by that name. Nearly always empty. */
export function findEqualNames(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const inDrive = names.map((name) => name.normalize('NFC'));
  if (new Set(inDrive).size === names.length) return new Map();
  const groups = Map.groupBy(names, (name) => name.normalize('NFC'));
  return new Map([...groups].filter(([, group]) => group.length > 1));
}

/** Whether a name on disk may be written in another normal form and is the same in the drive. */
export function mayHaveOtherForm(name: string): boolean {
  return !IS_ASCII.test(name) || HAS_OTHER_FORM.test(name);
}
