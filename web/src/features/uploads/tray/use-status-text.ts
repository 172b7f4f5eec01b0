import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../common/message-of.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { useDriveName } from '../../drives/drive-names.ts';
import { useIsLost } from '../../drives/use-drive.ts';
import type { Problem, Upload } from '../upload.ts';

/** Describes the state of an upload and its destination. */
export function useStatusText(upload: Upload): string {
  const { t } = useTranslation();
  const driveName = useDriveName(upload.driveId);
  const isLost = useIsLost(upload.driveId);
  if (isLost && upload.problem?.kind === 'refused') return t('uploads.driveLost', { drive: driveName });
  const folder = toFolderName(upload, driveName);
  const status = textOf(t, upload);
  return upload.status === 'failed' ? status : `${status} · ${t('uploads.into', { folder })}`;
}

/** The folder, with the name of its drive if that is a shared one. */
function toFolderName({ driveId, directoryPath }: Upload, driveName: string): string {
  const folder = directoryPath.slice(1);
  if (folder === '') return driveName;
  return driveId === undefined ? folder : `${driveName}/${folder}`;
}

function textOf(t: TFunction, upload: Upload): string {
  const { status, size, sentBytes, comparedBytes, problem, isRemembered } = upload;
  switch (status) {
    case 'waiting':
      return t('uploads.isWaiting');
    case 'sending':
      if (comparedBytes !== undefined) {
        return t('uploads.isComparing', { percent: percentOf(comparedBytes, size) });
      }
      return t('uploads.isSending', { sent: formatBytes(sentBytes), size: formatBytes(size) });
    case 'delayed':
      return t('uploads.isDelayed');
    case 'paused':
      return t('uploads.isPaused', { percent: percentOf(sentBytes, size) });
    case 'taken':
      return t('uploads.isTaken');
    case 'detached':
      return t(isRemembered ? 'uploads.isRemembered' : 'uploads.isDetached');
    case 'done':
      if (upload.isAlreadyHere === true) return `${t('uploads.isAlreadyHere')} · ${formatBytes(size)}`;
      return `${t('uploads.isDone')} · ${formatBytes(size)}`;
    case 'skipped':
      return t('uploads.isSkipped');
    case 'failed':
      return reasonOf(t, problem);
  }
}

function percentOf(bytes: number, size: number): string {
  return `${formatNumber(size === 0 ? 0 : Math.floor((100 * bytes) / size))} %`;
}

function reasonOf(t: TFunction, problem: Problem | undefined): string {
  switch (problem?.kind) {
    case 'changed':
      return t('uploads.hasChanged');
    case 'too-large':
      return t('uploads.isTooLarge', { limit: formatBytes(problem.limit) });
    case 'over-quota':
      return t('uploads.isOverQuota');
    case 'folder-in-the-way':
      return t('uploads.folderInTheWay');
    case 'parent-is-file':
      return t('uploads.parentIsFile');
    case 'store':
      return t('uploads.storeFailed');
    case 'refused':
      return messageOf(problem.error);
    default:
      return t('uploads.hasFailed');
  }
}
