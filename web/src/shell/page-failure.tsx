import { Button, Center, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Shown instead of a page whose code has failed. */
export function PageFailure() {
  const { t } = useTranslation();
  return (
    <Center component="main" mih="60vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2" ta="center">
          {t('app.pageFailed')}
        </Title>
        <Button onClick={() => window.location.reload()}>{t('app.reload')}</Button>
      </Stack>
    </Center>
  );
}
