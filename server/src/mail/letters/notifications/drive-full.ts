import { formatBytes } from '../../../base/format-bytes.ts';
import type { LetterTexts } from '../letter-texts.ts';
import { filesPageOf, OWN_FILES_PAGE } from './addresses.ts';

export const DRIVE_FULL: LetterTexts<'DRIVE_FULL'> = {
  en: ({ driveId, driveName, usedBytes, quotaBytes }, { page }) => ({
    subject: `${driveName === null ? 'Your drive' : `“${driveName}”`} is almost full`,
    paragraphs: [
      `${driveName === null ? 'Your drive' : `The shared drive “${driveName}”`} uses ` +
        `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)}. Once it is full, no more files can be saved.`,
    ],
    action: { label: 'Open drive', url: page(driveName === null ? OWN_FILES_PAGE : filesPageOf(driveId)) },
  }),
  'zh-CN': ({ driveId, driveName, usedBytes, quotaBytes }, { page }) => ({
    subject: `${driveName === null ? '您的网盘' : `“${driveName}”`}空间即将用完`,
    paragraphs: [
      `${driveName === null ? '您的网盘' : `共享网盘“${driveName}”`}已使用 ` +
        `${formatBytes(usedBytes)}，共 ${formatBytes(quotaBytes)}。空间用完后，将无法保存新文件。`,
    ],
    action: { label: '打开网盘', url: page(driveName === null ? OWN_FILES_PAGE : filesPageOf(driveId)) },
  }),
};
