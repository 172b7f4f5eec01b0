import { DAY, HOUR } from '../../base/clock.ts';

/** What each kind of letter says, besides its fixed text. */
interface LetterData {
  /** Confirms that the address belongs to the account. */
  readonly VERIFICATION: { readonly displayName: string; readonly token: string };
  readonly PASSWORD_RESET: { readonly displayName: string; readonly token: string };
  /** To someone without an account. */
  readonly INVITATION: { readonly inviterName: string; readonly code: string };
  /** Proves to the operator that mail works. */
  readonly TEST: Readonly<Record<never, never>>;
}

export type LetterKind = keyof LetterData;
export type DataOf<K extends LetterKind> = LetterData[K];

/** One of the letters that the service writes. */
export type Letter = { readonly [K in LetterKind]: { readonly kind: K } & DataOf<K> }[LetterKind];

/** How long the tokens in letters are valid. The letters say so. */
export const TOKEN_TTL_MS = { VERIFICATION: DAY, PASSWORD_RESET: HOUR } as const;

/** The languages of letters. */
export type LetterLanguage = 'en' | 'zh-CN';

/** The language of letters to someone who prefers this one (BCP 47). */
export function toLetterLanguage(preferred: string | null): LetterLanguage {
  return preferred !== null && /^zh(?:-|$)/i.test(preferred) ? 'zh-CN' : 'en';
}

/** A letter as it is sent. */
export interface WrittenLetter {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
