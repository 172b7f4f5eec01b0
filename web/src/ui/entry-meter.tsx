import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../client/src/client.ts';
import { formatNumber } from '../messages/formats.ts';
import { meterColorOf, NEARLY_FULL } from './meter-color.ts';

/** How much of the limit for files and folders is used. Renders nothing while there is plenty left. */
export function EntryMeter({ user }: { user: Pick<User, 'entryCount' | 'maxEntries'> }) {
  const { t } = useTranslation();
  const { entryCount, maxEntries } = user;
  const percent = Math.min(100, (100 * entryCount) / maxEntries);
  // Few users come near the limit. The comparison also fails if an older client version stored the session
  // without these numbers.
  if (!(percent >= NEARLY_FULL)) return null;
  const text = t('storage.entries', { used: formatNumber(entryCount), limit: formatNumber(maxEntries) });
  return (
    <Stack gap={6}>
      <Progress value={percent} color={meterColorOf(percent)} aria-label={text} />
      <Text size="xs" c="dimmed">
        {text}
        <br />
        {t('storage.entriesHint')}
      </Text>
    </Stack>
  );
}
