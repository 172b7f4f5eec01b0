import { Button, Group, Progress, Text } from '@mantine/core';
import {
  IconAlertCircle,
  IconCircleCheck,
  IconFile,
  IconFolder,
  IconFolderOpen,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ComponentType, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { toDirectory } from '../../../common/names/drive-paths.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { isMoving, needsUser, type Upload } from '../upload.ts';
import { uploads as queue } from '../uploads.ts';
import { askAgain } from './postponed-conflicts.ts';
import classes from './upload-tray.module.css';
import { useStatusText } from './use-status-text.ts';

/** Memoised, so only the changed rows of a list of ten thousand render. */
export const UploadRow = memo(function UploadRow({ upload }: { readonly upload: Upload }) {
  const { name, size, sentBytes, comparedBytes, status, directoryPath, kind } = upload;
  const { t } = useTranslation();
  const text = useStatusText(upload);
  const isUnderWay = status === 'sending' || status === 'delayed' || (status === 'paused' && sentBytes > 0);
  return (
    <>
      <StatusIcon upload={upload} />
      <div className={classes.words}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        <Text
          size="xs"
          c={status === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
          truncate
          title={text}
        >
          {text}
        </Text>
        {isUnderWay && size > 0 && (
          <Progress mt={4} size={4} value={(100 * (comparedBytes ?? sentBytes)) / size} aria-label={name} />
        )}
      </div>
      <Group gap={0} wrap="nowrap">
        {isMoving(upload) && kind === 'file' && (
          <RowButton
            label={t('uploads.pause', { name })}
            Icon={IconPlayerPause}
            onClick={() => queue.pause(upload.id)}
          />
        )}
        {status === 'paused' && (
          <RowButton
            label={t('uploads.resume', { name })}
            Icon={IconPlayerPlay}
            onClick={() => queue.resume(upload.id)}
          />
        )}
        {status === 'failed' && (
          <RowButton
            label={t('uploads.retry', { name })}
            Icon={IconRefresh}
            onClick={() => queue.retry(upload.id)}
          />
        )}
        {status === 'taken' && (
          <Button h={40} size="compact-sm" px="sm" variant="light" onClick={askAgain}>
            {t('uploads.decide')}
          </Button>
        )}
        {status === 'done' || status === 'skipped' ? (
          <IconButton
            variant="subtle"
            color="gray"
            size={40}
            label={t('uploads.openFolder', { name })}
            renderRoot={(props) => (
              <Link {...toDirectory(directoryPath, { drive: upload.driveId })} {...props} />
            )}
          >
            <IconFolderOpen size={18} aria-hidden />
          </IconButton>
        ) : (
          <RowButton
            label={t(status === 'failed' ? 'uploads.remove' : 'uploads.cancel', { name })}
            Icon={IconX}
            onClick={() => queue.cancel(upload.id)}
          />
        )}
      </Group>
    </>
  );
});

type IconType = ComponentType<{ size?: number; color?: string; 'aria-hidden'?: boolean }>;

function StatusIcon({ upload }: { readonly upload: Upload }) {
  if (upload.status === 'done') {
    return <IconCircleCheck size={22} aria-hidden color="var(--mantine-color-green-filled)" />;
  }
  if (needsUser(upload))
    return <IconAlertCircle size={22} aria-hidden color="var(--mantine-color-orange-filled)" />;
  const Icon: IconType = upload.kind === 'file' ? IconFile : IconFolder;
  return <Icon size={22} aria-hidden color="var(--mantine-color-dimmed)" />;
}

function RowButton({ label, Icon, onClick }: { label: string; Icon: IconType; onClick: () => void }) {
  return (
    <IconButton variant="subtle" color="gray" size={40} label={label} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </IconButton>
  );
}
