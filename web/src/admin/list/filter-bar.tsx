import { Button, Group, SimpleGrid } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { filterOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

/** What narrows a list down. Each change counts at once, so there is nothing to submit. */
export function FilterBar({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const { t } = useTranslation();
  const { search, clear } = useAdminSearch();
  const isFiltered = names.some((name) => filterOf(search, name) !== '');
  return (
    <search aria-label={t('admin.list.filters')}>
      <SimpleGrid
        cols={{ base: names.length === 1 ? 1 : 2, sm: 3, lg: Math.max(4, names.length) }}
        spacing="xs"
      >
        {children}
      </SimpleGrid>
      {isFiltered && (
        <Group justify="flex-end" mt="xs">
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => clear(names)}
          >
            {t('admin.list.clear')}
          </Button>
        </Group>
      )}
    </search>
  );
}
