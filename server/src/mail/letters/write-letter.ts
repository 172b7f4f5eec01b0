import { INVITATION } from './invitation.ts';
import { hostOf, layOut, type Site } from './layout.ts';
import type { DataOf, Letter, LetterKind, LetterLanguage, WrittenLetter } from './letter.ts';
import type { LetterContext, LetterTexts } from './letter-texts.ts';
import { PASSWORD_RESET } from './password-reset.ts';
import { TEST } from './test-letter.ts';
import { VERIFICATION } from './verification.ts';

export type { Site } from './layout.ts';

/** The texts of all letters. */
const TEXTS: { readonly [K in LetterKind]: LetterTexts<K> } = {
  VERIFICATION,
  PASSWORD_RESET,
  INVITATION,
  TEST,
};

/** Whether the service has a letter of this kind. A newer version may have queued others. */
export function isLetterKind(kind: string): kind is LetterKind {
  return Object.hasOwn(TEXTS, kind);
}

export function writeLetter(letter: Letter, language: LetterLanguage, site: Site): WrittenLetter {
  return layOut(compose(letter.kind, letter, language, site), language, site);
}

function compose<K extends LetterKind>(kind: K, data: DataOf<K>, language: LetterLanguage, site: Site) {
  const context: LetterContext = {
    host: hostOf(site),
    link: (path, name, secret) => `${site.url}${path}#${name}=${encodeURIComponent(secret)}`,
  };
  return TEXTS[kind][language](data, context);
}
