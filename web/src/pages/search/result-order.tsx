import { NativeSelect } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { RESULT_ORDERS, type ResultOrder } from './filters.ts';

/** At most this many results can be sorted here. Choosing an order loads them, a few at a time. */
const MAX_SORTED = 1_000;

interface OrderSelectProps {
  readonly order: ResultOrder;
  readonly onChange: (order: ResultOrder) => void;
}

export function OrderSelect({ order, onChange }: OrderSelectProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('search.order')}
      value={order}
      data={RESULT_ORDERS.map((value) => ({ value, label: t(`search.orders.${value}`) }))}
      onChange={({ currentTarget: { value } }) =>
        onChange(RESULT_ORDERS.find((known) => known === value) ?? 'match')
      }
    />
  );
}

interface Results {
  readonly chosen: ResultOrder;
  /** Whether the service sorts the results. */
  readonly isSorted: boolean;
  /** The number of results; undefined while unknown. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  readonly onMore: () => void;
}

/**
 * The order of the results. The service can sort names only by best match, so the page sorts them itself once
 * all are loaded.
 */
export function useResultOrder({ chosen, isSorted, total, hasMore, isLoading, hasFailed, onMore }: Results) {
  const canSort = total !== undefined && (isSorted || !hasMore || total <= MAX_SORTED);
  const order = canSort ? chosen : 'match';
  const isWaiting = !isSorted && order !== 'match' && hasMore;
  useEffect(() => {
    if (isWaiting && !isLoading && !hasFailed) onMore();
  }, [isWaiting, isLoading, hasFailed, onMore]);
  return { order, canSort };
}
