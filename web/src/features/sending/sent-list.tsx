import { Group, Progress, Stack, Text } from '@mantine/core';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../common/message-of.ts';
import { formatBytes } from '../../messages/formats.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { FixedRows } from '../../ui/fixed-rows.tsx';
import styles from './send-panel.module.css';
import {
  isOnItsWay,
  type SentFile,
  UnreadableFile,
  type VisitorUploads,
  waitsForRoom,
} from './visitor-uploads.ts';

interface SentListProps {
  readonly files: readonly SentFile[];
  readonly uploads: VisitorUploads;
}

/** The row height: enough for a name, a status and the progress. */
const ROW_PX = 60;
/** The same share of the window's height as in the style sheet. */
const LIST_OF_WINDOW = 0.5;

/** The files of this visit, with their progress. */
export function SentList({ files, uploads }: SentListProps) {
  const { t } = useTranslation();
  return (
    <FixedRows
      items={files}
      keyOf={({ id }) => id}
      rowPx={ROW_PX}
      rowsInSight={Math.ceil((window.innerHeight * LIST_OF_WINDOW) / ROW_PX) + 1}
      className={styles.list}
      rowClassName={styles.file}
      label={t('folderLinks.sentFiles')}
    >
      {(file) => <SentRow file={file} uploads={uploads} />}
    </FixedRows>
  );
}

/** Memoised: only changed rows render. */
const SentRow = memo(function SentRow({
  file,
  uploads,
}: {
  readonly file: SentFile;
  readonly uploads: VisitorUploads;
}) {
  const { t } = useTranslation();
  const { id, name, size, sentBytes, status } = file;
  return (
    <>
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text
          size="xs"
          lineClamp={status === 'failed' || status === 'delayed' ? 2 : 1}
          c={status === 'failed' ? 'red' : 'dimmed'}
        >
          <StatusText file={file} />
        </Text>
      </Stack>
      <Group gap={0} wrap="nowrap">
        {status === 'done' && <IconCheck size={20} color="var(--mantine-color-green-7)" aria-hidden />}
        {(status === 'failed' || waitsForRoom(file)) && (
          <IconButton
            variant="subtle"
            size={40}
            label={t('uploads.retry', { name })}
            onClick={() => uploads.retry(id)}
          >
            <IconRefresh size={18} aria-hidden />
          </IconButton>
        )}
        {status !== 'done' && (
          <IconButton
            variant="subtle"
            color="gray"
            size={40}
            label={t(isOnItsWay(file) ? 'uploads.cancel' : 'uploads.remove', { name })}
            onClick={() => uploads.remove(id)}
          >
            <IconX size={18} aria-hidden />
          </IconButton>
        )}
      </Group>
      {status === 'sending' && (
        <Progress
          className={styles.bar}
          size="sm"
          value={size === 0 ? 100 : (100 * sentBytes) / size}
          aria-label={t('folderLinks.progressOf', { name })}
        />
      )}
    </>
  );
});

function StatusText({ file }: { readonly file: SentFile }) {
  const { t } = useTranslation();
  const { status, size, sentBytes, error } = file;
  switch (status) {
    case 'waiting':
      return t('uploads.isWaiting');
    case 'sending':
      return t('uploads.isSending', { sent: formatBytes(sentBytes), size: formatBytes(size) });
    case 'delayed':
      return t(waitsForRoom(file) ? 'folderLinks.waitsForRoom' : 'uploads.isDelayed');
    case 'done':
      return `${t('folderLinks.isSent')} · ${formatBytes(size)}`;
    case 'failed':
      return error instanceof UnreadableFile ? t('uploads.hasChanged') : messageOf(error);
  }
}
