import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../messages/formats.ts';
import { meterColorOf } from '../../../ui/meter-color.ts';
import { percentOf } from './amounts/percent.ts';

interface QuotaMeterProps {
  readonly usedBytes: number;
  readonly quotaBytes: number;
}

export function QuotaMeter({ usedBytes, quotaBytes }: QuotaMeterProps) {
  const { t } = useTranslation();
  const text = t('storage.used', { used: formatBytes(usedBytes), quota: formatBytes(quotaBytes) });
  const percent = percentOf(usedBytes, quotaBytes);
  return (
    <>
      <Progress size="sm" miw={90} value={percent} color={meterColorOf(percent)} aria-label={text} />
      <Text size="xs" c="dimmed" mt={4}>
        {text}
      </Text>
    </>
  );
}
