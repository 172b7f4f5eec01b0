import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowWords } from './entry-row.tsx';

export function useRowWords(): RowWords {
  const { t } = useTranslation();
  return useMemo(
    () => ({
      select: (name) => t('drive.select', { name }),
      more: (name) => t('drive.moreOf', { name }),
    }),
    [t],
  );
}
