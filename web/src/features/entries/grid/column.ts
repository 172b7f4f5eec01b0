import type { ReactNode } from 'react';
import type { SortOptions } from '../../../../../client/src/client.ts';

/** The keys by which the service can sort a list. */
export type SortKey = NonNullable<SortOptions['sort']>;

/** The other columns stay near the names on wide screens. */
export const NAME_WIDTH = 'minmax(0, 32.5rem)';
export const DATE_WIDTH = '8rem';

/**
 * A column of a list. The object must stay the same while its content does, because a new object renders all
 * rows.
 */
export interface Column<T> {
  readonly name: string;
  readonly title: string;
  /** A width for CSS `grid-template-columns`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** Whether it is shown as a second line of the row, below all other cells. Then the width has no effect. */
  readonly isSecondLine?: boolean;
  /** The sort key of the heading; `default` means folders first, then by name. */
  readonly sort?: SortKey | 'default';
  readonly cell: (entry: T) => ReactNode;
}

export interface Sorting {
  readonly sort: SortKey | 'default';
  readonly order: 'asc' | 'desc';
  readonly onSort: (sort: SortKey | 'default') => void;
}

export interface TypedName {
  text?: string;
  /** The selection in the field. */
  range?: readonly [number, number];
}

/** The entry that is being renamed in place. */
export interface Renaming {
  readonly id: number;
  /** The text that the user typed before, if that name was rejected. */
  readonly name?: string | undefined;
  /** The text typed so far. It outlives the field, which is rendered elsewhere when the list changes. */
  readonly typed: TypedName;
  readonly onRename: (name: string) => void;
  readonly onCancel: () => void;
}
