import { Button, Group, Pagination, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../server/src/contract.ts';
import { formatNumber } from '../../messages/formats.ts';
import { useAdminSearch } from '../use-admin-search.ts';

/** Which part of the list it is, and the way to the others. */
export function PageBar({ page: { items, total, page, size } }: { page: Page<unknown> }) {
  const { t } = useTranslation();
  const { setPage } = useAdminSearch();
  const pages = Math.ceil(total / size);
  const from = page * size + 1;
  const range = t('admin.list.range', {
    from: formatNumber(from),
    to: formatNumber(from + items.length - 1),
    total: formatNumber(total),
  });
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {items.length === 0 ? t('admin.list.none') : range}
      </Text>
      {items.length === 0 && total > 0 && (
        <Button variant="default" onClick={() => setPage(1)}>
          {t('admin.list.firstPage')}
        </Button>
      )}
      {items.length > 0 && pages > 1 && (
        <nav aria-label={t('admin.list.pages')}>
          <Pagination
            total={pages}
            value={page + 1}
            onChange={setPage}
            siblings={1}
            gap={4}
            getItemProps={(number) => ({
              'aria-label': t('admin.list.page', { page: formatNumber(number) }),
            })}
            getControlProps={(control) => ({
              'aria-label': t(control === 'next' ? 'admin.list.next' : 'admin.list.previous'),
            })}
          />
        </nav>
      )}
    </Group>
  );
}
