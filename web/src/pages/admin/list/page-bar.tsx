import { Button, Group, Pagination } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../../client/src/client.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { labelled } from '../../../ui/labelled.ts';
import { useAdminSearch } from '../use-admin-search.ts';

/** The pagination, if there are several pages. */
export function PageBar({ page: { items, total, page, size } }: { page: Page<unknown> }) {
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
