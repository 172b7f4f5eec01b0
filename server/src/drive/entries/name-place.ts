/** The place of an entry in a list by name. The list continues after it, whatever was added or removed meanwhile. */
export interface NamePlace {
  readonly sortName: string;
  readonly name: string;
}

export const BEFORE_ALL_NAMES: NamePlace = { sortName: '', name: '' };
