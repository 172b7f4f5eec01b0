import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconDeviceFloppy, IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile, startEach } from '../../../common/downloads.ts';
import { formatBytes } from '../../../messages/formats.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { ImportButton } from '../importing/import-button.tsx';
import { receivedImports } from '../importing/import-sources.ts';
import { textForEnding } from '../progress/ending-text.ts';
import { PeerNote } from '../progress/peer-note.tsx';
import { TransferProgress } from '../progress/transfer-progress.tsx';
import { MAX_SAVED_AT_ONCE } from '../saving/places.ts';
import { setCurrent } from '../session/current.ts';
import type { Receiving } from '../session/receiving.ts';
import type { TransferState } from '../session/state/transfer-state.ts';
import { useTransferState } from '../session/use-transfer.ts';
import { StuckReceiver } from './stuck-receiver.tsx';

/** A transfer being received, after it was accepted. */
export function ReceiveCard({ receiving }: { readonly receiving: Receiving }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useTransferState(receiving.store);
  const { phase, pickupCode, secret } = state;
  // The page follows the sender to another way or another code.
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
        {phase === 'done' && <Saved receiving={receiving} />}
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
  const amounts = { count: files.length, size: formatBytes(totalBytes) };
  return (
    <Group gap="sm" wrap="nowrap">
      {isBusy && <Loader size="sm" aria-hidden />}
      {phase === 'done' && <IconCircleCheck size={28} color="green" aria-hidden />}
      <div>
        <div role="status">
          <Title order={2} size="h4">
            {words}
          </Title>
        </div>
        <Text size="sm" c="dimmed">
          {phase === 'storing'
            ? t('transfer.storedSoFar', {
                done: formatBytes(state.storedBytes),
                total: formatBytes(totalBytes),
              })
            : t('transfer.fileCount', amounts)}
        </Text>
      </div>
    </Group>
  );
}

/** Transfers whose files were saved, whether or not the page of the transfer was left meanwhile. */
const saved = new WeakSet<Receiving>();

/**
 * Saves files that exist only in this page, since they would be lost with it. Only few are saved without a
 * click; before many are lost, the browser asks.
 */
function useSaveOnce(receiving: Receiving, save: () => void, isOnlyHere: boolean): void {
  const isFew = receiving.paths.length <= MAX_SAVED_AT_ONCE;
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    if (!isOnlyHere || saved.has(receiving)) return;
    if (isFew) latest.current();
    const askFirst = (event: BeforeUnloadEvent) => {
      if (!saved.has(receiving)) event.preventDefault();
    };
    window.addEventListener('beforeunload', askFirst);
    return () => window.removeEventListener('beforeunload', askFirst);
  }, [receiving, isOnlyHere, isFew]);
}

/** The received files, and what can be done with them. */
function Saved({ receiving }: { receiving: Receiving }) {
  const { t } = useTranslation();
  const { place, paths } = receiving;
  const isFew = paths.length <= MAX_SAVED_AT_ONCE;
  const isPicked = place.kind === 'file' || place.kind === 'folder';
  const saveAll = () => {
    saved.add(receiving);
    const downloads = paths.map((_, index) => async () => {
      const file = await place.find(index);
      if (file !== undefined) void saveFile(file, file.name);
    });
    startEach(downloads).catch(notifyError);
  };
  useSaveOnce(receiving, saveAll, !isPicked);
  return (
    <Stack gap="sm">
      <Text size="sm">
        {isPicked
          ? t('transfer.savedTo', { place: place.name ?? '' })
          : t(isFew ? 'transfer.savedByBrowser' : 'transfer.savedInBrowser')}
      </Text>
      <Group gap="xs">
        {!isPicked && (
          <Button h={44} leftSection={<IconDeviceFloppy size={18} aria-hidden />} onClick={saveAll}>
            {paths.length === 1 ? t('transfer.save') : t('transfer.saveAll')}
          </Button>
        )}
        <ImportButton findSources={() => receivedImports(place, receiving.store.snapshot().files, paths)} />
      </Group>
    </Stack>
  );
}
