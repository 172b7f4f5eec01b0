import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCloudUpload, IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { TransferFault } from '../../../../../client/src/transfer/connection/line.ts';
import { useSession } from '../../../api/use-session.ts';
import { formatBytes, formatTime } from '../../../messages/formats.ts';
import { CardHeading } from '../progress/card-heading.tsx';
import { textForEnding } from '../progress/ending-text.ts';
import { notifyFailure } from '../progress/notify-failure.ts';
import { PeerNote } from '../progress/peer-note.tsx';
import { TransferProgress } from '../progress/transfer-progress.tsx';
import { setCurrent } from '../session/current.ts';
import type { Sending } from '../session/sending.ts';
import { sendAgain } from '../session/start-sending.ts';
import type { Ending, TransferState } from '../session/state/transfer-state.ts';
import { useTransferState } from '../session/use-transfer.ts';
import { CodeCard } from './code-card.tsx';
import { DeviceOfferChoice } from './device-offer-choice.tsx';
import { FallbackSwitch } from './fallback-switch.tsx';
import { StuckNotice } from './stuck-notice.tsx';

/** A transfer being sent, from its code to its end. */
export function SendCard({ sending }: { readonly sending: Sending }) {
  const { t } = useTranslation();
  const state = useTransferState(sending.store);
  const { phase } = state;
  const isOver = phase === 'done' || phase === 'stored' || phase === 'ended';
  const canRepeat = phase === 'ended' && state.ending !== undefined && isRepeatable(state.ending);
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-label={t('transfer.send')}>
      <Stack gap="lg">
        <SendHeading state={state} />
        {phase === 'waiting' && state.hasPeerLeft && (
          <Alert color="yellow" role="status" icon={<IconInfoCircle aria-hidden />}>
            {t('transfer.peerLeft')}
          </Alert>
        )}
        {(phase === 'waiting' || phase === 'stored') && state.pickupCode !== undefined && (
          <CodeCard code={state.pickupCode} secret={state.secret} />
        )}
        <Expiry state={state} />
        {phase === 'stuck' && <StuckNotice sending={sending} state={state} />}
        {phase === 'ended' && state.ending !== undefined && (
          <Alert color="red" icon={<IconInfoCircle aria-hidden />}>
            {textForEnding(state.ending, 'sender')}
          </Alert>
        )}
        {phase !== 'waiting' && phase !== 'preparing' && phase !== 'stored' && (
          <TransferProgress state={state} />
        )}
        {phase !== 'preparing' && phase !== 'ended' && <PeerNote state={state} />}
        {phase === 'waiting' && <DeviceOfferChoice sending={sending} state={state} />}
        {phase === 'waiting' && <WaitingChoices sending={sending} state={state} />}
        <Group justify="flex-end">
          {isOver ? (
            <>
              <Button
                h={40}
                variant={canRepeat ? 'default' : 'filled'}
                onClick={() => setCurrent({ sending: undefined })}
              >
                {t('transfer.sendMore')}
              </Button>
              {canRepeat && (
                <Button h={40} onClick={() => sendAgain(sending)}>
                  {t('transfer.sendAgain')}
                </Button>
              )}
            </>
          ) : (
            <Button h={40} variant="default" onClick={() => sending.cancel()}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** If files have changed since they were chosen, the user must choose them again. */
function isRepeatable(ending: Ending): boolean {
  return (
    ending.kind !== 'failed' ||
    !(ending.error instanceof TransferFault) ||
    ending.error.fault !== 'unreadable'
  );
}

function SendHeading({ state }: { state: TransferState }) {
  const { t } = useTranslation();
  const { phase, peerName, files, totalBytes } = state;
  const who = peerName ?? t('transfer.theOther');
  const amount = t('transfer.fileCount', { count: files.length, size: formatBytes(totalBytes) });
  const words = {
    preparing: t('transfer.preparing'),
    waiting: t('transfer.waiting'),
    connecting: t('transfer.connecting', { who }),
    running: t('transfer.sendingTo', { who }),
    mending: t('transfer.mending'),
    stuck: t('transfer.stuck'),
    storing: t('transfer.storing'),
    fetching: t('transfer.storing'),
    stored: t('transfer.isStored'),
    done: t('transfer.sent', { who }),
    ended: t('transfer.ended'),
  }[phase];
  const isBusy =
    phase === 'preparing' || phase === 'waiting' || phase === 'connecting' || phase === 'mending';
  const isDone = phase === 'done' || phase === 'stored';
  return <CardHeading isBusy={isBusy} isDone={isDone} title={words} amount={amount} />;
}

function Expiry({ state: { phase, expiresAt } }: { state: TransferState }) {
  const { t } = useTranslation();
  if (expiresAt === undefined) return null;
  const time = formatTime(new Date(expiresAt).toISOString());
  if (phase === 'waiting') {
    return (
      <Text size="sm" c="dimmed" ta="center">
        {t('transfer.keepOpen', { time })}
      </Text>
    );
  }
  if (phase !== 'stored') return null;
  return (
    <Text size="sm" ta="center">
      {t('transfer.storedUntil', { time })}
    </Text>
  );
}

function WaitingChoices({ sending, state }: { sending: Sending; state: TransferState }) {
  const { t } = useTranslation();
  const isLoggedIn = useSession() !== undefined;
  const startStoring = useMutation({ mutationFn: () => sending.startStoring(), onError: notifyFailure });
  return (
    <Group justify="space-between" gap="md">
      {isLoggedIn && <FallbackSwitch />}
      {isLoggedIn && (
        <Button
          h={40}
          variant="subtle"
          leftSection={<IconCloudUpload size={18} aria-hidden />}
          loading={state.isStoring}
          onClick={() => startStoring.mutate()}
        >
          {t('transfer.storeInstead')}
        </Button>
      )}
    </Group>
  );
}
