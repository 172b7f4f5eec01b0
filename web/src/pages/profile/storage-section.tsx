import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { User } from '../../api/contract.ts';
import { formatBytes } from '../../messages/formats.ts';

/** How full the drive is, and how large a file may be. */
export function StorageSection({ user }: { user: User }) {
  const { t } = useTranslation();
  const { storageUsedBytes: used, storageQuotaBytes: quota, maxUploadSizeBytes } = user;
  const percent = quota === 0 ? 100 : Math.min(100, Math.round((1_000 * used) / quota) / 10);
  const text = t('storage.used', { used: formatBytes(used), quota: formatBytes(quota) });
  return (
    <Stack gap="xs">
      <Progress value={percent} size="lg" aria-label={text} color={percent > 90 ? 'red' : 'blue'} />
      <Text size="sm">{text}</Text>
      <Text size="sm" c="dimmed">
        {t('profile.largestUpload', { size: formatBytes(maxUploadSizeBytes) })}
      </Text>
    </Stack>
  );
}
