import { formatBytes } from '../../../base/format-bytes.ts';
import type { DataOf } from '../letter.ts';
import type { LetterTexts } from '../letter-texts.ts';
import { count } from './count.ts';

export const LINK_FILES: LetterTexts<'LINK_FILES'> = {
  en: (data, { page }) => {
    const { title, driveName, files, bytes, senders } = data;
    const place = driveName === null ? 'your drive' : `the drive “${driveName}”`;
    return {
      subject: `${count(files, 'new file')} from “${title}”`,
      paragraphs: [
        `${count(files, 'file')} (${formatBytes(bytes)}) arrived in ${place} through your link “${title}”.`,
        ...(senders.length === 0 ? [] : [`Sent by: ${senders.join(', ')}`]),
      ],
      action: { label: 'Show files', url: page(recentPageOf(data)) },
    };
  },
  'zh-CN': (data, { page }) => {
    const { title, driveName, files, bytes, senders } = data;
    const place = driveName === null ? '您的网盘' : `网盘“${driveName}”`;
    return {
      subject: `“${title}”收到 ${files} 个新文件`,
      paragraphs: [
        `${place}通过您的链接“${title}”收到 ${files} 个文件（${formatBytes(bytes)}）。`,
        ...(senders.length === 0 ? [] : [`发送者：${senders.join('、')}`]),
      ],
      action: { label: '查看文件', url: page(recentPageOf(data)) },
    };
  },
};

/** Recent files show which ones came through a link. */
function recentPageOf({ driveId, driveName }: DataOf<'LINK_FILES'>): string {
  return driveName === null ? '/recent' : `/drives/${driveId}/recent`;
}
