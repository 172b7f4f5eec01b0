import { readNameWithId, toNameWithId } from '../protocol/href.ts';

/**
 * The names of an account's shared drives in addresses, by id. Of equal names, the drive that the account has
 * had longest by that name has the name alone, and the others are `Name (ID)`. A drive whose own name is the
 * `Name (ID)` of another one also gets its id, so all names differ.
 * @param drives by name, the older one of equal names first
 */
export function toAddressNames(
  drives: readonly { readonly id: number; readonly name: string }[],
): ReadonlyMap<number, string> {
  const nameOf = new Map(drives.map(({ id, name }) => [id, name]));
  const looksLikeAnother = (name: string) => {
    const parts = readNameWithId(name);
    return parts !== undefined && nameOf.get(parts.id) === parts.name;
  };
  const isYounger = (index: number) => drives[index - 1]?.name === drives[index]?.name;
  return new Map(
    drives.map((drive, index) => [
      drive.id,
      isYounger(index) || looksLikeAnother(drive.name) ? toNameWithId(drive) : drive.name,
    ]),
  );
}
