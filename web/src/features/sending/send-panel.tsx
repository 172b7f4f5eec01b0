import { Alert, Button, Group, Paper, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import {
  IconAlertCircle,
  IconCamera,
  IconCircleCheck,
  IconFile,
  IconFolder,
  IconUpload,
} from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicFolderLink } from '../../../../client/src/client.ts';
import { CAN_PICK_FOLDERS } from '../../common/folder-choice.ts';
import { formatBytes, formatNumber } from '../../messages/formats.ts';
import { FileInput } from '../uploads/choose/file-input.tsx';
import { useFileDrag } from '../uploads/choose/use-file-drag.ts';
import { collectDrop } from '../uploads/files/collect-drop.ts';
import { type Picked, readInput } from '../uploads/files/picked-files.ts';
import { UnreadableList } from '../uploads/files/unreadable-list.tsx';
import { walkEntries } from '../uploads/files/walk-entries.ts';
import styles from './send-panel.module.css';
import { SentList } from './sent-list.tsx';
import { type Sending, storeSender, useInterrupted, useSentView } from './use-visitor-uploads.ts';
import type { SentView } from './visitor-uploads.ts';

const MAX_SENDER_CHARACTERS = 64;

interface SendPanelProps {
  readonly link: PublicFolderLink;
  readonly sending: Sending;
  /** The directory below the link that takes the files; undefined if the link takes no directories. */
  readonly path: string | undefined;
  /** Whether the panel is above a list, and must leave it space. */
  readonly isCompact?: boolean;
  /** Whether the link no longer exists. */
  readonly hasEnded?: boolean;
}

/**
 * Sends files to a folder link. They can be dropped anywhere on the page, chosen, or taken with the camera.
 */
export function SendPanel({ link, sending, path, isCompact = false, hasEnded = false }: SendPanelProps) {
  const { t } = useTranslation();
  const { uploads } = sending;
  const { files, count, isBusy, unreadable } = useSentView(uploads);
  const interrupted = useInterrupted(link.token, files);
  const presentPath = useRef(path);
  presentPath.current = path;
  const add = (picked: readonly Picked[], to = presentPath.current) => uploads.add(to, picked);
  const [isOver, setOver] = useState(false);
  useFileDrag({
    onOver: () => setOver(true),
    onEnd: () => setOver(false),
    onDrop: (_path, transfer) => {
      const { entries, files: loose } = collectDrop(transfer);
      // The visitor may open another folder while a dropped one is read.
      const to = presentPath.current;
      add(readInput(loose), to);
      void (async () => {
        const found = walkEntries(entries, (unread) => uploads.noteUnreadable(unread));
        for await (const picked of found) add(picked, to);
      })();
    },
  });
  const isFull = link.remainingFiles === 0 || link.remainingBytes === 0;
  return (
    <Stack gap="md">
      {hasEnded && <Alert color="red">{t('folderLinks.ended', { owner: link.ownerName })}</Alert>}
      {isFull && !hasEnded && <Alert color="yellow">{t('folderLinks.full')}</Alert>}
      {/* Above the buttons, because the result matters more now and a phone has no room for both. */}
      <Outcome
        owner={link.ownerName}
        isBusy={isBusy}
        count={count}
        onRetryAll={hasEnded ? undefined : () => uploads.retryAll()}
      />
      {unreadable.count > 0 && (
        <Alert color="yellow">
          <UnreadableList unreadable={unreadable} />
        </Alert>
      )}
      {files.length > 0 && <SentList files={files} uploads={uploads} />}
      {!isFull && !hasEnded && (
        <>
          <SenderInput owner={link.ownerName} sending={sending} isNarrow={isCompact} />
          <Paper
            withBorder
            radius="md"
            p={isCompact ? 'sm' : 'lg'}
            className={styles.zone}
            data-over={isOver || undefined}
            data-compact={isCompact || undefined}
          >
            {!isCompact && files.length === 0 && <IconUpload size={40} stroke={1.4} aria-hidden />}
            <div>
              <Text className={styles.drop}>{t('folderLinks.dropHere')}</Text>
              <Limits link={link} />
            </div>
            <Pickers onPick={(picked) => add(picked)} />
          </Paper>
        </>
      )}
      {interrupted.length > 0 && !hasEnded && (
        <Alert color="yellow" title={t('folderLinks.interrupted', { count: interrupted.length })}>
          <Text size="sm">{t('folderLinks.interruptedHint')}</Text>
          <ul className={styles.names}>
            {interrupted.slice(0, 10).map(({ urlStorageKey, metadata }) => (
              <li key={urlStorageKey}>{metadata.filename}</li>
            ))}
          </ul>
        </Alert>
      )}
    </Stack>
  );
}

interface SenderInputProps {
  readonly owner: string;
  readonly sending: Sending;
  readonly isNarrow: boolean;
}

function SenderInput({ owner, sending, isNarrow }: SenderInputProps) {
  const { t } = useTranslation();
  const [sender, setSender] = useState(sending.sender.current);
  return (
    <TextInput
      size="md"
      maw={isNarrow ? 360 : undefined}
      label={t('folderLinks.sender')}
      description={t('folderLinks.senderHint', { owner })}
      autoComplete="name"
      maxLength={MAX_SENDER_CHARACTERS}
      value={sender}
      onChange={({ currentTarget: { value } }) => {
        setSender(value);
        sending.sender.current = value;
        storeSender(value);
      }}
    />
  );
}

interface OutcomeProps {
  readonly owner: string;
  readonly isBusy: boolean;
  readonly count: SentView['count'];
  /** Undefined if retrying is pointless. */
  readonly onRetryAll: (() => void) | undefined;
}

/** Always rendered, so that screen readers announce what appears in it. */
function Outcome({
  owner,
  isBusy,
  count: { done, failed, waiting, sending, delayed },
  onRetryAll,
}: OutcomeProps) {
  const { t } = useTranslation();
  const all = done + failed + waiting + sending + delayed;
  return (
    <>
      {isBusy && (
        <Text size="sm">
          {t('folderLinks.progress', { sent: formatNumber(done), count: all, number: formatNumber(all) })}
        </Text>
      )}
      <div role="status">
        {!isBusy && done > 0 && (
          <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
            {t('folderLinks.sent', { count: done, number: formatNumber(done), owner })}
          </Alert>
        )}
        {!isBusy && failed > 0 && (
          <Alert
            color="red"
            mt={done > 0 ? 'xs' : 0}
            icon={<IconAlertCircle aria-hidden />}
            title={t('folderLinks.failed', { count: failed, number: formatNumber(failed) })}
          >
            {onRetryAll !== undefined && (
              <Button variant="default" mih="var(--tap-size)" onClick={onRetryAll}>
                {t('uploads.retryAll')}
              </Button>
            )}
          </Alert>
        )}
        {isBusy && <VisuallyHidden>{t('folderLinks.sending')}</VisuallyHidden>}
      </div>
    </>
  );
}

function Pickers({ onPick }: { readonly onPick: (picked: readonly Picked[]) => void }) {
  const { t } = useTranslation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  // On a computer, the camera input would open the same dialog as the file input.
  const hasCamera = useMemo(() => window.matchMedia('(pointer: coarse)').matches, []);
  return (
    <Group justify="center" gap="xs">
      <Button
        size="md"
        leftSection={<IconFile size={18} aria-hidden />}
        onClick={() => files.current?.click()}
      >
        {t('folderLinks.chooseFiles')}
      </Button>
      {CAN_PICK_FOLDERS && (
        <Button
          size="md"
          variant="default"
          leftSection={<IconFolder size={18} aria-hidden />}
          onClick={() => folder.current?.click()}
        >
          {t('folderLinks.chooseFolder')}
        </Button>
      )}
      {hasCamera && (
        <Button
          size="md"
          variant="default"
          leftSection={<IconCamera size={18} aria-hidden />}
          onClick={() => camera.current?.click()}
        >
          {t('folderLinks.takePhoto')}
        </Button>
      )}
      <FileInput ref={files} name="files" onPick={onPick} />
      <FileInput ref={folder} name="folder" isForFolders onPick={onPick} />
      <input
        ref={camera}
        type="file"
        hidden
        name="camera"
        accept="image/*,video/*"
        capture="environment"
        onChange={({ currentTarget }) => {
          onPick(readInput(currentTarget.files ?? []));
          currentTarget.value = '';
        }}
      />
    </Group>
  );
}

/** The number of files and bytes that the link still accepts. */
function Limits({ link: { remainingFiles, remainingBytes } }: { readonly link: PublicFolderLink }) {
  const { t } = useTranslation();
  const facts = [
    remainingFiles === null
      ? undefined
      : t('folderLinks.filesLeft', { count: remainingFiles, number: formatNumber(remainingFiles) }),
    remainingBytes === null ? undefined : t('folderLinks.bytesLeft', { size: formatBytes(remainingBytes) }),
  ].filter((fact) => fact !== undefined);
  if (facts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {facts.join(' · ')}
    </Text>
  );
}
