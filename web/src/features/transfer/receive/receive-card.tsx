import { Alert, Button, Group, Paper, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../messages/formats.ts';
import { CardHeading } from '../progress/card-heading.tsx';
import { textForEnding } from '../progress/ending-text.ts';
import { NoWayNotice } from '../progress/no-way-notice.tsx';
import { PeerNote } from '../progress/peer-note.tsx';
import { TransferProgress } from '../progress/transfer-progress.tsx';
import { setCurrent } from '../session/current.ts';
import type { Receiving } from '../session/receiving.ts';
import type { TransferState } from '../session/state/transfer-state.ts';
import { useTransferState } from '../session/use-transfer.ts';
import { ReceivedFiles } from './received-files.tsx';

/** A transfer being received, after it was accepted. */
export function ReceiveCard({ receiving }: { readonly receiving: Receiving }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useTransferState(receiving.store);
  const { phase, pickupCode, secret } = state;
  // The sender has switched to storing the files or renewed the code, so the page opens the new code.
  useEffect(() => {
    if (phase === 'fetching' && pickupCode !== undefined) {
      const params = { code: pickupCode };
      void navigate({ to: '/transfer/{-$code}', params, hash: secret ?? '', replace: true });
    }
  }, [phase, pickupCode, secret, navigate]);
  const leave = () => {
    setCurrent({ receiving: undefined });
    void navigate({ to: '/transfer/{-$code}', params: { code: undefined } });
  };
  const isOver = phase === 'done' || phase === 'ended';
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} component="section" aria-label={t('transfer.receive')}>
      <Stack gap="lg">
        <ReceiveHeading state={state} />
        {phase === 'stuck' && (
          <StuckReceiver hasAccount={state.peerName !== undefined} hasRelay={state.hasRelay === true} />
        )}
        {phase === 'ended' && state.ending !== undefined && (
          <Alert color="red" role="alert" icon={<IconInfoCircle aria-hidden />}>
            {textForEnding(state.ending, 'receiver')}
          </Alert>
        )}
        <TransferProgress state={state} />
        <PeerNote state={state} />
        {phase === 'done' && <ReceivedFiles receiving={receiving} />}
        <Group justify="flex-end">
          {isOver ? (
            <Button h={40} variant="default" onClick={leave}>
              {t('transfer.receiveMore')}
            </Button>
          ) : (
            <Button h={40} variant="default" onClick={() => receiving.cancel()}>
              {t('common.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

function ReceiveHeading({ state }: { state: TransferState }) {
  const { t } = useTranslation();
  const { phase, peerName, files, totalBytes } = state;
  const who = peerName ?? t('transfer.theOther');
  const words = {
    preparing: t('transfer.connecting', { who }),
    waiting: t('transfer.connecting', { who }),
    connecting: t('transfer.connecting', { who }),
    running: t('transfer.receivingFrom', { who }),
    mending: t('transfer.mending'),
    stuck: t('transfer.stuck'),
    storing: t('transfer.storingThere'),
    stored: t('transfer.fetching'),
    fetching: t('transfer.fetching'),
    done: t('transfer.received'),
    ended: t('transfer.ended'),
  }[phase];
  const isBusy =
    phase === 'preparing' || phase === 'connecting' || phase === 'mending' || phase === 'storing';
  const amount =
    phase === 'storing'
      ? t('transfer.storedSoFar', { done: formatBytes(state.storedBytes), total: formatBytes(totalBytes) })
      : t('transfer.fileCount', { count: files.length, size: formatBytes(totalBytes) });
  return <CardHeading isBusy={isBusy} isDone={phase === 'done'} title={words} amount={amount} />;
}

interface StuckReceiverProps {
  /** Whether the sender is logged in, and can store the files. */
  readonly hasAccount: boolean;
  readonly hasRelay: boolean;
}

/**
 * Explains what the receiver can do when there is no direct connection. Once there is one, the page continues
 * automatically.
 */
function StuckReceiver({ hasAccount, hasRelay }: StuckReceiverProps) {
  const { t } = useTranslation();
  if (!hasAccount) return <NoWayNotice hasRelay={hasRelay} firstStep={t('transfer.doSenderLogsIn')} />;
  return (
    <Alert color="yellow" icon={<IconInfoCircle aria-hidden />}>
      {t('transfer.stuckReceiver')}
    </Alert>
  );
}
