import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecurityChange } from '../../../../../client/src/client.ts';
import { queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatTime } from '../../../messages/formats.ts';
import { messages } from '../../../messages/i18n.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { Hint, Section } from '../section.tsx';

/** How many changes are shown at first. */
const SHOWN = 5;

/** The changes to the ways of logging in to the account, newest first. */
export function ChangesSection() {
  const { t } = useTranslation();
  const [areAllShown, setAllShown] = useState(false);
  const { data, error, refetch } = useQuery(
    queryOf(KEYS.securityChanges(), 'GET /api/user/security/changes'),
  );
  const shown = areAllShown ? data : data?.slice(0, SHOWN);
  return (
    <Section title={t('security.changesTitle')}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Hint>{t(data?.length === 0 ? 'security.noChanges' : 'security.changesHint')}</Hint>
      {shown !== undefined && shown.length > 0 && (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {shown.map((change) => (
            <Group component="li" key={change.id} justify="space-between" gap={4}>
              <Text size="sm">{textOf(change)}</Text>
              <Text size="sm" c="dimmed">
                {formatTime(change.createdAt)}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
      {data !== undefined && data.length > SHOWN && !areAllShown && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          underline="always"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setAllShown(true)}
        >
          {t('security.moreChanges')}
        </Anchor>
      )}
    </Section>
  );

  function textOf({ action, byOwner }: SecurityChange): string {
    // A newer service may report actions that this page does not know.
    const text = messages.exists(`security.changes.${action}`)
      ? t(`security.changes.${action}`)
      : t('security.otherChange');
    return byOwner ? text : `${text} (${t('security.byAdmin')})`;
  }
}
