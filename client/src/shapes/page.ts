/** One page of a list, as the service answers it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The number of items in the whole list. */
  readonly total: number;
  /** The number of this page; the first is 0. */
  readonly page: number;
  /** The most items that a page has. */
  readonly size: number;
}
