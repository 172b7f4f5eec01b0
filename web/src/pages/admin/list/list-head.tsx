import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../../../../client/src/client.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

const HEIGHT = 40;

/**
 * The number of results, and a button that clears the filters. Its height is the same with and without
 * filters.
 */
export function ListHead({
  page: { items, total, page, size },
  filters,
}: {
  page: Page<unknown>;
  filters: readonly string[];
}) {
  const { t } = useTranslation();
  const { search, clear } = useAdminSearch();
  const isFiltered = filters.some((name) => filterOf(search, name) !== '');
  const from = page * size + 1;
  const range = t('admin.list.range', {
    from: formatNumber(from),
    to: formatNumber(from + items.length - 1),
    total: formatNumber(total),
  });
  return (
    <Group justify="space-between" mih={HEIGHT} gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {/* The notice below says so to the eye. */}
        {items.length === 0 ? <VisuallyHidden>{t('admin.list.none')}</VisuallyHidden> : range}
      </Text>
      {isFiltered && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconFilterOff size={16} aria-hidden />}
          onClick={() => clear(filters)}
        >
          {t('admin.list.clear')}
        </Button>
      )}
    </Group>
  );
}
