import type { ReactNode } from 'react';
import type { SortKey } from '../../../api/contract.ts';

/** What a list says of each entry. The same object as long as it says the same: rows are drawn anew with another. */
export interface Column<T> {
  readonly name: string;
  readonly title: string;
  /** As CSS counts the columns of a grid. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** By what its heading sorts; `default` is folders first, then by name. */
  readonly sort?: SortKey | 'default';
  readonly cell: (entry: T) => ReactNode;
}

export interface Sorting {
  readonly sort: SortKey | 'default';
  readonly order: 'asc' | 'desc';
  readonly onSort: (sort: SortKey | 'default') => void;
}

/** The entry that is being renamed, in its own place. */
export interface Renaming {
  readonly id: number;
  readonly onRename: (name: string) => void;
  readonly onCancel: () => void;
}
