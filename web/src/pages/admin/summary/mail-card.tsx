import { Button, DataList, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailOverview } from '../../../../../client/src/client.ts';
import { ask, queryOf } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatNumber, formatTime } from '../../../messages/formats.ts';
import { formatFromNow } from '../../../messages/from-now.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { ActDialog } from '../pieces/act-dialog.tsx';
import { findKnown } from '../pieces/choices.ts';
import { Mark } from '../pieces/mark.tsx';
import { CardRow } from './card-row.tsx';

const REFRESH_MS = 60_000;
/** The number of failed mails that are shown at first. */
const FIRST_FAILED = 3;

const KINDS = ['VERIFICATION', 'PASSWORD_RESET', 'INVITATION', 'TEST'] as const;

/** Whether mail is sent, what is waiting, and what failed. */
export function MailCard() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    ...queryOf(KEYS.admin('mail'), 'GET /api/admin/mail'),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) return error && <FailureNotice error={error} onRetry={() => void refetch()} />;
  const { isOn, from, lastSentAt, lastError, failed } = data;
  const title = t('admin.mail.title');
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      <DataList withDivider labelWidth="40%">
        <CardRow label={t('admin.mail.state')}>
          <Mark tone={isOn ? 'good' : 'plain'} text={t(isOn ? 'admin.on' : 'admin.off')} />
          {!isOn && (
            <Text size="sm" c="dimmed" mt={4}>
              {t('admin.mail.offHint')}
            </Text>
          )}
        </CardRow>
        {from !== null && <CardRow label={t('admin.mail.from')}>{from}</CardRow>}
        {(isOn || data.waiting > 0) && (
          <CardRow label={t('admin.mail.waiting')}>{textOfWaiting(data)}</CardRow>
        )}
        {isOn && (
          <>
            <CardRow label={t('admin.mail.lastSent')}>
              {lastSentAt === null ? t('admin.mail.never') : formatFromNow(lastSentAt)}
            </CardRow>
            <CardRow label={t('admin.mail.lastError')}>{lastError ?? t('admin.mail.none')}</CardRow>
          </>
        )}
        {(isOn || failed.length > 0) && (
          <CardRow label={t('admin.mail.failed')}>
            {failed.length === 0 ? t('admin.mail.none') : <FailedMails failed={failed} />}
          </CardRow>
        )}
      </DataList>
    </Paper>
  );

  function textOfWaiting({ waiting, oldestAt }: MailOverview): string {
    const number = formatNumber(waiting);
    if (oldestAt === null) return number;
    return t('admin.mail.waitingSince', { number, when: formatFromNow(oldestAt) });
  }
}

/** The newest failed mails, and on request the others. */
function FailedMails({ failed }: Pick<MailOverview, 'failed'>) {
  const { t } = useTranslation();
  const [isLong, setLong] = useState(false);
  const [isClearing, setClearing] = useState(false);
  const shown = isLong ? failed : failed.slice(0, FIRST_FAILED);
  return (
    <Stack gap="xs">
      {shown.map(({ id, kind, address, at, error }) => (
        <div key={id}>
          <Text size="sm">
            {nameOfKind(kind)}: {address}
          </Text>
          <Text size="sm" c="dimmed">
            {formatTime(at)}: {error}
          </Text>
        </div>
      ))}
      <Group gap="xs">
        {shown.length < failed.length && (
          <Button variant="default" mih="var(--tap-size)" onClick={() => setLong(true)}>
            {t('admin.mail.showAll', { number: formatNumber(failed.length) })}
          </Button>
        )}
        <Button variant="default" mih="var(--tap-size)" onClick={() => setClearing(true)}>
          {t('admin.mail.clear')}
        </Button>
      </Group>
      {isClearing && (
        <ActDialog
          title={t('admin.mail.clearTitle')}
          text={t('admin.mail.clearText')}
          action={t('admin.mail.clear')}
          act={() => ask('DELETE /api/admin/mail/failed')}
          done={t('admin.mail.cleared')}
          onClose={() => setClearing(false)}
        />
      )}
    </Stack>
  );

  /** A kind of a newer service is shown unchanged. */
  function nameOfKind(kind: string): string {
    const known = findKnown(KINDS, kind);
    return known === undefined ? kind : t(`admin.mail.kinds.${known}`);
  }
}
