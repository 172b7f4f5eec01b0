import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../../client/src/client.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { EntryMeter } from '../../../ui/entry-meter.tsx';
import { meterColorOf } from '../../../ui/meter-color.ts';

/** The used storage, the upload limit, and the number of entries if it is near its limit. */
export function StorageSection({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { storageUsedBytes: used, storageQuotaBytes: quota, maxUploadSizeBytes } = user;
  const percent = quota === 0 ? 100 : Math.min(100, Math.round((1_000 * used) / quota) / 10);
  const text = t('storage.used', { used: formatBytes(used), quota: formatBytes(quota) });
  return (
    <Stack gap="xs">
      <Progress value={percent} size="lg" aria-label={text} color={meterColorOf(percent)} />
      <Text size="sm">{text}</Text>
      {user.keptBytes > 0 && (
        <Text size="sm" c="dimmed">
          {t('storage.kept', { used: formatBytes(user.keptBytes), limit: formatBytes(user.maxKeptBytes) })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('profile.largestUpload', { size: formatBytes(maxUploadSizeBytes) })}
      </Text>
      <EntryMeter user={user} />
    </Stack>
  );
}
