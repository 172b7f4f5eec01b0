import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AdminUser } from '../../../../../client/src/client.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { meterColorOf } from '../../../ui/meter-color.ts';
import { percentOf } from '../pieces/amounts/percent.ts';

export function QuotaMeter({ user }: { user: Pick<AdminUser, 'storageUsedBytes' | 'storageQuotaBytes'> }) {
  const { t } = useTranslation();
  const { storageUsedBytes: used, storageQuotaBytes: quota } = user;
  const text = t('storage.used', { used: formatBytes(used), quota: formatBytes(quota) });
  const percent = percentOf(used, quota);
  return (
    <>
      <Progress size="sm" miw={90} value={percent} color={meterColorOf(percent)} aria-label={text} />
      <Text size="xs" c="dimmed" mt={4}>
        {text}
      </Text>
    </>
  );
}
