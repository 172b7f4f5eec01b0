import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Opens the login in another tab, so this one keeps its files. This tab notices the login automatically. */
export function LogInHint() {
  const { t } = useTranslation();
  return (
    <Alert>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{t('transfer.storingNeedsLogin')}</Text>
        <Button component="a" href="/login?next=/transfer" target="_blank" rel="noopener" h={40}>
          {t('transfer.logInThere')}
        </Button>
      </Stack>
    </Alert>
  );
}
