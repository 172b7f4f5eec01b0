import { useEffect, useState } from 'react';
import type { ResultOrder } from './sort-results.ts';

/** So many results are loaded, a few at a time, as soon as an order is chosen. */
const MAX_SORTED = 1_000;

interface Results {
  /** Tells one search from another. */
  readonly search: string;
  /** Undefined while they are not known. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  readonly onMore: () => void;
}

/**
 * The order of the results. It is chosen for one search. The service knows the best matches only, so that the
 * page sorts, once it has all of them.
 */
export function useResultOrder({ search, total, hasMore, isLoading, hasFailed, onMore }: Results) {
  const [chosen, setChosen] = useState<{ readonly search: string; readonly order: ResultOrder }>();
  const canSort = total !== undefined && (!hasMore || total <= MAX_SORTED);
  const order = canSort && chosen?.search === search ? chosen.order : 'match';
  useEffect(() => {
    if (order !== 'match' && hasMore && !isLoading && !hasFailed) onMore();
  }, [order, hasMore, isLoading, hasFailed, onMore]);
  return { order, canSort, choose: (next: ResultOrder) => setChosen({ search, order: next }) };
}
