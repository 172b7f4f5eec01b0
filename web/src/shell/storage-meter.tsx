import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUser } from '../api/use-session.ts';
import { formatBytes } from '../messages/formats.ts';

/** From so much on it is worth a thought, in percent. */
const NEARLY_FULL = 80;
const FULL = 95;

/** How much of the drive is taken. */
export function StorageMeter() {
  const { t } = useTranslation();
  const { storageUsedBytes, storageQuotaBytes } = useUser();
  const percent = storageQuotaBytes === 0 ? 100 : Math.min(100, (100 * storageUsedBytes) / storageQuotaBytes);
  const text = t('storage.used', {
    used: formatBytes(storageUsedBytes),
    quota: formatBytes(storageQuotaBytes),
  });
  return (
    <Stack gap={6} p="xs">
      <Progress
        // What is there is seen to be there.
        value={storageUsedBytes > 0 ? Math.max(percent, 1) : 0}
        color={percent >= FULL ? 'red' : percent >= NEARLY_FULL ? 'orange' : 'blue'}
        aria-label={text}
      />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Stack>
  );
}
