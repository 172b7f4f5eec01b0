import { SimpleGrid } from '@mantine/core';
import { Children, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const WIDEST = 360;

/** The filters of a list. Every change applies immediately, so there is no submit button. */
export function FilterBar({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const count = Children.count(children);
  return (
    <search aria-label={t('admin.list.filters')}>
      <SimpleGrid
        cols={{ base: Math.min(2, count), sm: Math.min(3, count), lg: count }}
        maw={count * WIDEST}
        spacing="xs"
      >
        {children}
      </SimpleGrid>
    </search>
  );
}
