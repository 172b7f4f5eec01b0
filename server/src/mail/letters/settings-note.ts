import { isOptionalMail } from '../../base/domain/notifications.ts';
import type { SettingsNote } from './layout.ts';
import type { LetterLanguage } from './letter.ts';

/** The path of the page on which people choose what they are told by mail. */
const SETTINGS_PAGE = '/profile/devices#notifications';

const LABELS: Readonly<Record<LetterLanguage, string>> = {
  en: 'Choose which mails you get',
  'zh-CN': '选择接收哪些邮件',
};

/** Undefined for letters that cannot be turned off. @param page the address of a page */
export function settingsNoteOf(
  kind: string,
  language: LetterLanguage,
  page: (path: string) => string,
): SettingsNote | undefined {
  if (!isOptionalMail(kind)) return undefined;
  return { label: LABELS[language], url: page(SETTINGS_PAGE) };
}
