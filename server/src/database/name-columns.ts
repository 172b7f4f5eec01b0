import { withoutAccents } from '../base/text/names/accents.ts';
import { foldName } from '../base/text/names/file-name.ts';
import { toSortName } from '../base/text/names/sort-name.ts';

/** All columns of `entry` that depend on its name. */
export interface NameColumns<Name extends string = string> {
  readonly name: Name;
  readonly folded_name: string;
  readonly plain_name: string | null;
  readonly sort_name: string;
}

/** Every statement that writes the name of an entry writes all of these columns. */
export function toNameColumns<Name extends string>(name: Name): NameColumns<Name> {
  const folded = foldName(name);
  const plain = withoutAccents(folded);
  return {
    name,
    folded_name: folded,
    plain_name: plain === folded ? null : plain,
    sort_name: toSortName(name),
  };
}
