/** One page of a list, as the service returns it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The number of items in the whole list. */
  readonly total: number;
  /** The number of this page; the first is 0. */
  readonly page: number;
  /** The maximum number of items per page. */
  readonly size: number;
}
