import type { ReactNode } from 'react';

export interface Column<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
}

export interface Rows<T> {
  /** The accessible name of the list. */
  readonly title: string;
  /** The first column names the row. */
  readonly columns: readonly Column<T>[];
  /** The actions of a row. */
  readonly acts?: (row: T) => ReactNode;
}
