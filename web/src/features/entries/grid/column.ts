import type { ReactNode } from 'react';
import type { SortOptions } from '../../../../../client/src/client.ts';

/** What the service can sort a list by. */
export type SortKey = NonNullable<SortOptions['sort']>;

/**
 * A column of a list. The object must stay the same as long as its content does, because rows render when it
 * changes.
 */
export interface Column<T> {
  readonly name: string;
  readonly title: string;
  /** The width as in CSS `grid-template-columns`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** The sort key of the heading; `default` is folders first, then by name. */
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
  /** The text that the user typed before, if the name was refused. */
  readonly name?: string | undefined;
  /** What was typed so far. It outlives the field, which a list renders elsewhere when it changes. */
  readonly typed: TypedName;
  readonly onRename: (name: string) => void;
  readonly onCancel: () => void;
}
