import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupCode } from '../../../../../client/src/transfer/session/pickup-code.ts';
import { KEYS } from '../../../api/keys.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { FailureNotice } from '../../../ui/placeholders/failure-notice.tsx';
import { FileList } from '../progress/file-list.tsx';
import { endSession, listOwnSessions, type OwnTransfer } from '../session/sessions.ts';
import classes from '../transfer.module.css';

/** Lists the user's stored transfers that have not expired. */
export function OwnSessions() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [leaving, setLeaving] = useState<OwnTransfer>();
  const {
    data: sessions,
    error,
    refetch,
  } = useQuery({
    queryKey: [...KEYS.transfers(), 'own'],
    queryFn: ({ signal }) => listOwnSessions(signal),
    // Always refetched, because a new transfer may have been added.
    staleTime: 0,
  });
  const end = useMutation({
    mutationFn: (session: OwnTransfer) => endSession(session.sessionId),
    onSuccess: () => notify(t('transfer.deleted')),
    onError: notifyError,
    onSettled: () => {
      setLeaving(undefined);
      return queryClient.invalidateQueries({ queryKey: KEYS.transfers() });
    },
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (sessions === undefined || sessions.length === 0) return null;
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-labelledby="own-sessions">
      <Stack gap="sm">
        <Title order={2} size="h4" id="own-sessions">
          {t('transfer.own')}
        </Title>
        <FileList aria-labelledby="own-sessions">
          {sessions.map((session) => (
            <li key={session.sessionId} className={classes.file}>
              <div className={classes.path}>
                <Text size="sm">{toTitle(session, t)}</Text>
                <Text size="sm" c="dimmed">
                  {session.status === 'READY'
                    ? t('transfer.storedUntil', { time: formatTime(session.expiresAt) })
                    : t('transfer.notWhole')}
                </Text>
              </div>
              <Anchor
                renderRoot={(props) => (
                  <Link to="/transfer/{-$code}" params={{ code: session.pickupCode }} {...props} />
                )}
                underline="always"
                className={classes.ownCode}
              >
                {groupCode(session.pickupCode)}
              </Anchor>
              <IconButton
                variant="subtle"
                color="red"
                size={40}
                label={t('transfer.deleteOf', { name: toTitle(session, t) })}
                onClick={() => setLeaving(session)}
              >
                <IconTrash size={20} aria-hidden />
              </IconButton>
            </li>
          ))}
        </FileList>
      </Stack>
      {leaving !== undefined && (
        <ConfirmDialog
          title={t('transfer.deleteTitle')}
          text={t('transfer.deleteText')}
          action={t('transfer.delete')}
          isPending={end.isPending}
          onConfirm={() => end.mutate(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Paper>
  );
}

function toTitle({ files, fileCount, totalBytes, encrypted }: OwnTransfer, t: TFunction): string {
  const size = formatBytes(totalBytes);
  const [only] = files;
  if (encrypted) return t('transfer.encryptedOwn', { count: fileCount, size });
  if (fileCount === 1 && only !== undefined) return t('transfer.oneOwn', { name: only.name, size });
  return t('transfer.fileCount', { count: fileCount, size });
}
