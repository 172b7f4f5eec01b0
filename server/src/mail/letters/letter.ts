import { DAY, HOUR } from '../../base/clock.ts';
import type { NotificationData } from '../../base/domain/notifications.ts';

/** What each kind of letter says, besides its fixed text. */
interface LetterData extends NotificationData {
  /**
   * Confirms that the address belongs to the account. Without a name: anyone can enter the address of a
   * stranger, who must not get a text that the account chose.
   */
  readonly VERIFICATION: { readonly token: string };
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

/** How many languages of a request are read. */
const MAX_ACCEPTED = 20;

/**
 * The first language of letters that a client accepts; null if it accepts none of them.
 * @param header `Accept-Language`, for example `de, zh-CN;q=0.8`
 */
export function findLetterLanguage(header: string | undefined): LetterLanguage | null {
  const accepted = (header ?? '')
    .split(',', MAX_ACCEPTED)
    .map((part) => {
      const [tag = '', quality = ''] = part.split(';', 2);
      const weight = /^\s*q=([\d.]+)\s*$/i.exec(quality)?.[1] ?? '1';
      return { tag: tag.trim(), weight: Number(weight) };
    })
    .filter(({ tag, weight }) => weight > 0 && /^(?:en|zh)(?:-|$)/i.test(tag))
    .toSorted((a, b) => b.weight - a.weight);
  const [first] = accepted;
  return first === undefined ? null : toLetterLanguage(first.tag);
}

/** A letter as it is sent. */
export interface WrittenLetter {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The page on which the recipient can turn off such letters; undefined if that is not possible. */
  readonly settingsUrl: string | undefined;
}
