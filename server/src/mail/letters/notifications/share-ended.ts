import type { DataOf } from '../letter.ts';
import type { LetterTexts } from '../letter-texts.ts';

export const SHARE_ENDED: LetterTexts<'SHARE_ENDED'> = {
  en: (data, { page }) => ({
    subject:
      data.reason === 'USED_UP' ? `“${data.name}” was used up` : `Your link to “${data.name}” expires soon`,
    paragraphs: [explain(data)],
    action: { label: 'Show shares', url: page('/shared') },
  }),
  'zh-CN': (data, { page }) => ({
    subject: data.reason === 'USED_UP' ? `“${data.name}”已达到上限` : `“${data.name}”的链接即将过期`,
    paragraphs: [explainInChinese(data)],
    action: { label: '查看分享', url: page('/shared') },
  }),
};

function explain({ of, name, reason, expiresAt }: DataOf<'SHARE_ENDED'>): string {
  const link = of === 'SHARE' ? `Your share of “${name}”` : `Your folder link “${name}”`;
  if (reason === 'USED_UP') {
    return of === 'SHARE'
      ? `${link} has reached its limit and no longer works.`
      : `${link} has received as many files as it may, and accepts no more.`;
  }
  return expiresAt === null ? `${link} expires soon.` : `${link} expires on ${toTime(expiresAt, 'en')}.`;
}

function explainInChinese({ of, name, reason, expiresAt }: DataOf<'SHARE_ENDED'>): string {
  const link = of === 'SHARE' ? `您对“${name}”的分享` : `您的文件夹链接“${name}”`;
  if (reason === 'USED_UP') {
    return of === 'SHARE' ? `${link}已达到上限，不再有效。` : `${link}收到的文件已达到上限，不再接收文件。`;
  }
  return expiresAt === null ? `${link}即将过期。` : `${link}将于 ${toTime(expiresAt, 'zh-CN')} 过期。`;
}

/** In UTC, because the service does not know the time zones of accounts. */
function toTime(instant: number, language: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language, format).format(instant)} UTC`;
}
