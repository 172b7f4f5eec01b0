import { Button, Center, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import page from '../ui/page/page.module.css';

/** Shown instead of a page whose code has failed. */
export function PageFailure() {
  const { t } = useTranslation();
  return (
    <Center component="main" mih="60vh" p="md">
      <Stack align="center">
        <h1 className={page.title} style={{ textAlign: 'center' }}>
          {t('app.pageFailed')}
        </h1>
        <Button onClick={() => window.location.reload()}>{t('app.reload')}</Button>
      </Stack>
    </Center>
  );
}
