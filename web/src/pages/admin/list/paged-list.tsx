import { Box, Button, Group, Pagination, Paper, SimpleGrid, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilterOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../../client/src/client.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { labelled } from '../../../ui/labelled.ts';
import type { DrawingName } from '../../../ui/placeholders/empty-drawing.tsx';
import { EmptyNotice } from '../../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import classes from '../admin.module.css';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';
import { type Rows, RowTable } from './row-table.tsx';

/** Up to this width, there is no room for a table beside the navigation. */
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
  /** Shown if the list is empty. If filters hide everything, the notice says that instead. */
  readonly empty: { readonly drawing: DrawingName; readonly title: string; readonly text?: string };
}) {
  const { t } = useTranslation();
  const { search, clear } = useAdminSearch();
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
          <ListHead page={page} onClear={isFiltered ? () => clear(filters) : undefined} />
          {page.items.length === 0 ? (
            <EmptyNotice
              drawing={isFiltered ? 'search' : empty.drawing}
              title={isFiltered ? t('admin.list.none') : empty.title}
            >
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

/**
 * The number of results, and a button that clears the filters. Its height is the same with and without
 * filters.
 */
function ListHead({
  page: { items, total, page, size },
  onClear,
}: {
  readonly page: Page<unknown>;
  readonly onClear: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const from = page * size + 1;
  const range = t('admin.list.range', {
    from: formatNumber(from),
    to: formatNumber(from + items.length - 1),
    total: formatNumber(total),
  });
  return (
    <Group justify="space-between" mih={40} gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {/* Hidden visually, because the notice below says the same. */}
        {items.length === 0 ? <VisuallyHidden>{t('admin.list.none')}</VisuallyHidden> : range}
      </Text>
      {onClear !== undefined && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconFilterOff size={16} aria-hidden />}
          onClick={onClear}
        >
          {t('admin.list.clear')}
        </Button>
      )}
    </Group>
  );
}
