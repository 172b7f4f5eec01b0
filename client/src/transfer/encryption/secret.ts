// The secret of an encrypted transfer: 80 random bits, which sender and receiver pass on by themselves.

/** Crockford's base32: no I, L, O and U. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SECRET_BYTES = 10;
const SECRET_LENGTH = 16;
const GROUP = 4;
/** How people read these letters. */
const ALIKE: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/** 16 characters, the canonical form. */
export function newSecret(): string {
  return toSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Five bits for each character, the first bits first. */
export function toSecret(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => SYMBOLS.charAt(Number.parseInt(five, 2))).join('');
}

export interface TypedSecret {
  /** The characters that a secret can have, in their canonical form: at most 16. */
  readonly secret: string;
  /** The characters that no secret has, each once. */
  readonly strange: readonly string[];
}

/** Only of a-z: Unicode makes an S of ſ, an I of ı, and two letters of ß. */
export function toCapitals(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** What phones and chats add to a code: blanks, punctuation and invisible characters. */
export const SEPARATOR = /[\s\p{P}\p{Sm}\p{Sk}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const SEPARATORS = new RegExp(SEPARATOR, 'gu');

/** The symbols of a typed text, also those of full width, without what separates them. */
function symbolsOf(text: string): readonly string[] {
  return Array.from(toCapitals(toHalfWidth(text).replaceAll(SEPARATORS, '')), (one) => ALIKE[one] ?? one);
}

/** Letters, digits and signs of full width, as keyboards of East Asia type them, in their usual form. */
export function toHalfWidth(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]+/g, (wide) => wide.normalize('NFKC'));
}

/** Reads a secret as typed or pasted: in any case, with separators anywhere. */
export function readTypedSecret(text: string): TypedSecret {
  const typed = symbolsOf(text);
  return {
    secret: typed
      .filter((one) => SYMBOLS.includes(one))
      .slice(0, SECRET_LENGTH)
      .join(''),
    strange: [...new Set(typed.filter((one) => !SYMBOLS.includes(one)))],
  };
}

export function isWholeSecret({ secret, strange }: TypedSecret): boolean {
  return secret.length === SECRET_LENGTH && strange.length === 0;
}

/** The canonical form, or undefined for text that is no secret. */
export function findSecret(text: string): string | undefined {
  const typed = readTypedSecret(text);
  const { length } = symbolsOf(text);
  return isWholeSecret(typed) && length === SECRET_LENGTH ? typed.secret : undefined;
}

/** In groups of four, with dashes. */
export function groupSecret(secret: string): string {
  return (secret.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-');
}
