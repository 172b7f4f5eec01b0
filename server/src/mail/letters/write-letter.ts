import { toPlainLine } from '../../base/text/plain-line.ts';
import { INVITATION } from './invitation.ts';
import { hostOf, layOut, type Site } from './layout.ts';
import {
  type DataOf,
  type Letter,
  type LetterKind,
  type LetterLanguage,
  toLetterLanguage,
  type WrittenLetter,
} from './letter.ts';
import type { LetterContext, LetterTexts } from './letter-texts.ts';
import { withHarmlessNames } from './names-in-letters.ts';
import { NOTIFICATION_TEXTS } from './notifications/notification-texts.ts';
import { PASSWORD_RESET } from './password-reset.ts';
import { settingsNoteOf } from './settings-note.ts';
import { TEST } from './test-letter.ts';
import { VERIFICATION } from './verification.ts';

export type { Site } from './layout.ts';

/** The texts of all letters. */
const TEXTS: { readonly [K in LetterKind]: LetterTexts<K> } = {
  VERIFICATION,
  PASSWORD_RESET,
  INVITATION,
  TEST,
  ...NOTIFICATION_TEXTS,
};

/** Whether the service has a letter of this kind. A newer version may have queued others. */
export function isLetterKind(kind: string): kind is LetterKind {
  return Object.hasOwn(TEXTS, kind);
}

export function writeLetter(letter: Letter, language: LetterLanguage, site: Site): WrittenLetter {
  const note = settingsNoteOf(letter.kind, language, (path) => `${site.url}${path}`);
  const composed = compose(letter.kind, withHarmlessNames(letter), language, site);
  return layOut(composed, { language, site, note });
}

/** The beginning of a letter, for a message that has little room. */
export interface LetterSummary {
  readonly title: string;
  readonly text: string;
  /** The path of the page that the letter leads to, with its fragment. */
  readonly path: string;
}

/**
 * Says in short what a letter says.
 * @param preferred the language that the recipient prefers (BCP 47), if any
 * @returns undefined for a kind that this version does not know
 */
export function summarizeLetter(
  letter: Letter,
  preferred: string | null,
  site: Site,
): LetterSummary | undefined {
  if (!isLetterKind(letter.kind)) return undefined;
  const language = toLetterLanguage(preferred);
  const { subject, paragraphs, action } = compose(letter.kind, letter, language, site);
  const path = action?.url.startsWith(`${site.url}/`) ? action.url.slice(site.url.length) : '/';
  return { title: toPlainLine(subject), text: toPlainLine(paragraphs[0] ?? ''), path };
}

function compose<K extends LetterKind>(kind: K, data: DataOf<K>, language: LetterLanguage, site: Site) {
  const context: LetterContext = {
    name: site.name,
    host: hostOf(site),
    page: (path) => `${site.url}${path}`,
    link: (path, name, secret) => `${site.url}${path}#${name}=${encodeURIComponent(secret)}`,
  };
  return TEXTS[kind][language](data, context);
}
