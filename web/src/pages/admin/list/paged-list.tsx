import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../../client/src/client.ts';
import { EmptyNotice } from '../../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import classes from '../admin.module.css';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';
import { ListHead } from './list-head.tsx';
import { PageBar } from './page-bar.tsx';
import { RowCards } from './row-cards.tsx';
import { RowTable } from './row-table.tsx';
import type { Rows } from './rows.ts';

/** Below this width a table has no room beside the navigation. */
const NARROW = '(max-width: 64em)';

/** A paged list: a table if there is room, otherwise cards. */
export function PagedList<T extends { readonly id: number }>({
  query,
  filters,
  empty,
  ...rows
}: Rows<T> & {
  readonly query: UseQueryResult<Page<T>>;
  readonly filters: readonly string[];
  /** Shown when there is nothing to list. If filters hide everything, the notice says that. */
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text?: string };
}) {
  const { t } = useTranslation();
  const { search } = useAdminSearch();
  const isFiltered = filters.some((name) => filterOf(search, name) !== '');
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const { data: page, error, isPlaceholderData, refetch } = query;
  const Shape = isNarrow ? RowCards : RowTable;
  return (
    <>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {page !== undefined && error === null && (
        <Box
          className={classes.list}
          aria-busy={isPlaceholderData}
          data-waiting={isPlaceholderData || undefined}
        >
          <ListHead page={page} filters={filters} />
          {page.items.length === 0 ? (
            <EmptyNotice icon={empty.icon} title={isFiltered ? t('admin.list.none') : empty.title}>
              {isFiltered ? t('admin.list.noneHint') : empty.text}
            </EmptyNotice>
          ) : (
            <Shape {...rows} items={page.items} />
          )}
          <PageBar page={page} />
        </Box>
      )}
    </>
  );
}
