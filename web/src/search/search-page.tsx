import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function SearchPage() {
  const { t } = useTranslation();
  return (
    <Title order={1} size="h3">
      {t('nav.search')}
    </Title>
  );
}
