import { Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../client/src/client.ts';
import { formatNumber } from '../messages/formats.ts';
import { meterColorOf, NEARLY_FULL } from './meter-color.ts';

/** How many files and folders a user has of those that they may have. Nothing while there is ample room. */
export function EntryMeter({ user }: { user: Pick<User, 'entryCount' | 'maxEntries'> }) {
  const { t } = useTranslation();
  const { entryCount, maxEntries } = user;
  const percent = Math.min(100, (100 * entryCount) / maxEntries);
  // Few have nearly that many. Also for a session that an older version of the client has stored: it has no
  // numbers.
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
