import { Box, Button, Group, Pagination, Paper, SimpleGrid } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../../client/src/client.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { labelled } from '../../../ui/labelled.ts';
import { EmptyNotice } from '../../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import classes from '../admin.module.css';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';
import { ListHead } from './list-head.tsx';
import { type Rows, RowTable } from './row-table.tsx';

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

/** The rows as cards, for narrow screens. */
function RowCards<T extends { readonly id: number }>({
  title,
  columns,
  acts,
  items,
}: Rows<T> & { readonly items: readonly T[] }) {
  const [first, ...others] = columns;
  return (
    <SimpleGrid
      component="ul"
      className={classes.cards}
      aria-label={title}
      cols={{ base: 1, sm: 2 }}
      spacing="xs"
    >
      {items.map((row) => (
        <Paper key={row.id} component="li" withBorder p="sm">
          <Group wrap="nowrap" align="flex-start" justify="space-between" gap="xs">
            <Box className={classes.name}>{first?.cell(row)}</Box>
            {acts?.(row)}
          </Group>
          <dl className={classes.facts}>
            {others.map(({ key, title: heading, cell }) => (
              <div key={key}>
                <dt>{heading}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** The pagination, if there are several pages. */
function PageBar({ page: { items, total, page, size } }: { page: Page<unknown> }) {
  const { t } = useTranslation();
  const { setPage } = useAdminSearch();
  const pages = Math.ceil(total / size);
  if (items.length === 0 && total > 0) {
    return (
      <Group justify="center" mt="sm">
        <Button variant="default" onClick={() => setPage(1)}>
          {t('admin.list.firstPage')}
        </Button>
      </Group>
    );
  }
  if (pages <= 1) return null;
  return (
    <Group justify="center" mt="md">
      <nav aria-label={t('admin.list.pages')}>
        <Pagination
          total={pages}
          value={page + 1}
          onChange={setPage}
          siblings={1}
          gap={4}
          getItemProps={(number) => ({ 'aria-label': t('admin.list.page', { page: formatNumber(number) }) })}
          getControlProps={(control) =>
            labelled(t(control === 'next' ? 'admin.list.next' : 'admin.list.previous'))
          }
        />
      </nav>
    </Group>
  );
}
