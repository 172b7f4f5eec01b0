// The drive stores names in NFC. Names of one directory that differ only in their Unicode normal form are one
// name there.

/**
 * The only ASCII characters that are the NFC of other characters: the Kelvin sign, the Greek question mark
 * and the Greek varia accent.
 */
const HAS_OTHER_FORM = /[K;`]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression covers all of ASCII.
const IS_ASCII = /^[\u0000-\u007f]*$/;

/** Groups those names of a directory on disk that become the same name in the drive. Nearly always empty. */
export function findEqualNames(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const inDrive = names.map((name) => name.normalize('NFC'));
  if (new Set(inDrive).size === names.length) return new Map();
  const groups = Map.groupBy(names, (name) => name.normalize('NFC'));
  return new Map([...groups].filter(([, group]) => group.length > 1));
}

/** Whether the disk may have this name in another normal form. Both forms are one name in the drive. */
export function mayHaveOtherForm(name: string): boolean {
  return !IS_ASCII.test(name) || HAS_OTHER_FORM.test(name);
}
