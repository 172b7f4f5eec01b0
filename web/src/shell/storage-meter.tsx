import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUser } from '../api/use-session.ts';
import { formatBytes } from '../messages/formats.ts';

/** How much of the drive is taken. */
export function StorageMeter() {
  const { t } = useTranslation();
  const { storageUsedBytes, storageQuotaBytes } = useUser();
  const text = t('storage.used', {
    used: formatBytes(storageUsedBytes),
    quota: formatBytes(storageQuotaBytes),
  });
  return (
    <Stack gap={4} p="xs">
      <Progress value={(100 * storageUsedBytes) / storageQuotaBytes} aria-label={text} />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Stack>
  );
}
