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
import type { PublicFolderLink } from '../../api/contract.ts';
import { readStored, writeStored } from '../../api/stored.ts';
import { formatBytes, formatNumber } from '../../messages/formats.ts';
import { FileInput } from '../uploads/choose/file-input.tsx';
import { useFileDrag } from '../uploads/choose/use-file-drag.ts';
import { collectDrop } from '../uploads/files/collect-drop.ts';
import { type Picked, readInput } from '../uploads/files/picked-files.ts';
import { walkEntries } from '../uploads/files/walk-entries.ts';
import styles from './send-panel.module.css';
import { SentList } from './sent-list.tsx';
import { useVisitorUploads } from './use-visitor-uploads.ts';

const SENDER_KEY = 'holdall.sender';
const MOST_SENDER_CHARACTERS = 64;
const CAN_PICK_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype;

interface SendPanelProps {
  readonly link: PublicFolderLink;
  /** The directory below the link that takes the files; undefined if the link takes no directories. */
  readonly path: string | undefined;
  /** Above a list, which needs the room. */
  readonly isCompact?: boolean;
  /** Called after files were sent. */
  readonly onSent: () => void;
}

/** Sends files to a folder link: they are dropped anywhere on the page, chosen, or taken with the camera. */
export function SendPanel({ link, path, isCompact = false, onSent }: SendPanelProps) {
  const { t } = useTranslation();
  const [sender, setSender] = useState(() => readStored(SENDER_KEY) ?? '');
  const present = useRef({ sender, path, onSent });
  present.current = { sender, path, onSent };
  const { uploads, files, isBusy, interrupted } = useVisitorUploads(
    link.token,
    () => present.current.sender.trim(),
    () => present.current.onSent(),
  );
  const add = (picked: readonly Picked[], to = present.current.path) => uploads.add(to, picked);
  const [isOver, setOver] = useState(false);
  useFileDrag({
    onOver: () => setOver(true),
    onEnd: () => setOver(false),
    onDrop: (_path, transfer) => {
      const { entries, files: loose } = collectDrop(transfer);
      // The visitor may open another folder while a dropped one is read.
      const to = present.current.path;
      add(readInput(loose), to);
      void (async () => {
        for await (const picked of walkEntries(entries)) add(picked, to);
      })();
    },
  });
  const isFull = link.remainingFiles === 0 || link.remainingBytes === 0;
  const sent = files.filter(({ status }) => status === 'done').length;
  const failed = files.filter(({ status }) => status === 'failed').length;
  return (
    <Stack gap="md">
      {isFull && <Alert color="yellow">{t('folderLinks.full')}</Alert>}
      {!isFull && (
        <Paper
          withBorder
          radius="md"
          p={isCompact ? 'sm' : 'lg'}
          className={styles.zone}
          data-over={isOver || undefined}
          data-compact={isCompact || undefined}
        >
          {!isCompact && <IconUpload size={40} stroke={1.4} aria-hidden />}
          <div>
            <Text>{t('folderLinks.dropHere')}</Text>
            <Limits link={link} />
          </div>
          <Pickers takesFolders={path !== undefined} onPick={(picked) => add(picked)} />
        </Paper>
      )}
      {!isFull && (
        <TextInput
          size="md"
          maw={isCompact ? 360 : undefined}
          label={t('folderLinks.sender')}
          description={t('folderLinks.senderHint', { owner: link.ownerName })}
          autoComplete="name"
          maxLength={MOST_SENDER_CHARACTERS}
          value={sender}
          onChange={({ currentTarget: { value } }) => {
            setSender(value);
            writeStored(SENDER_KEY, value);
          }}
        />
      )}
      {interrupted.length > 0 && (
        <Alert color="yellow" title={t('folderLinks.interrupted', { count: interrupted.length })}>
          <Text size="sm">{t('folderLinks.interruptedHint')}</Text>
          <ul className={styles.names}>
            {interrupted.slice(0, 10).map(({ urlStorageKey, metadata }) => (
              <li key={urlStorageKey}>{metadata.filename}</li>
            ))}
          </ul>
        </Alert>
      )}
      {/* Always there, so that screen readers announce what appears in it. */}
      <div role="status">
        {!isBusy && sent > 0 && (
          <Alert color="green" icon={<IconCircleCheck aria-hidden />}>
            {t('folderLinks.sent', { count: sent, number: formatNumber(sent), owner: link.ownerName })}
          </Alert>
        )}
        {!isBusy && failed > 0 && (
          <Alert
            color="red"
            mt={sent > 0 ? 'xs' : 0}
            icon={<IconAlertCircle aria-hidden />}
            title={t('folderLinks.failed', { count: failed, number: formatNumber(failed) })}
          >
            <Button variant="default" mih={40} onClick={() => uploads.retryAll()}>
              {t('uploads.retryAll')}
            </Button>
          </Alert>
        )}
        {isBusy && <VisuallyHidden>{t('folderLinks.sending')}</VisuallyHidden>}
      </div>
      {files.length > 0 && <SentList files={files} uploads={uploads} />}
    </Stack>
  );
}

interface PickersProps {
  readonly takesFolders: boolean;
  readonly onPick: (picked: readonly Picked[]) => void;
}

function Pickers({ takesFolders, onPick }: PickersProps) {
  const { t } = useTranslation();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  // A computer opens the same dialog as for files.
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
      {CAN_PICK_FOLDERS && takesFolders && (
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

/** What the link still takes. */
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
