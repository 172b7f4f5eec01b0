import type { ReactNode } from 'react';

export interface Column<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers stand below each other by their last digit. */
  readonly isNumber?: boolean;
}

export interface Rows<T> {
  /** What is listed. */
  readonly title: string;
  /** The first one names the row. */
  readonly columns: readonly Column<T>[];
  /** What can be done with a row. */
  readonly acts?: (row: T) => ReactNode;
}
