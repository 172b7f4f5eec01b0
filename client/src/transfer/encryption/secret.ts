// The secret of an encrypted transfer: 80 random bits, which the sender passes to the receiver outside
// Holdall.

/** Crockford's base32: no I, L, O and U. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SECRET_BYTES = 10;
const SECRET_LENGTH = 16;
const GROUP = 4;
/** Letters that people confuse with digits. */
const ALIKE: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/** Creates a secret in its canonical form, with 16 characters. */
export function newSecret(): string {
  return toSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Encodes five bits per character, starting with the first bits. */
export function toSecret(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => SYMBOLS.charAt(Number.parseInt(five, 2))).join('');
}

export interface TypedSecret {
  /** The valid characters of the typed text, in canonical form: at most 16. */
  readonly secret: string;
  /** The characters that no secret contains, each once. */
  readonly strange: readonly string[];
}

/** Converts only a-z, because Unicode converts ſ to S, ı to I, and ß to two letters. */
export function toCapitals(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Characters that phones and chats add to a code: spaces, punctuation and invisible characters. */
export const SEPARATOR = /[\s\p{P}\p{Sm}\p{Sk}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const SEPARATORS = new RegExp(SEPARATOR, 'gu');

/** The symbols of a typed text, including full-width ones, without separators. */
function symbolsOf(text: string): readonly string[] {
  return Array.from(toCapitals(toHalfWidth(text).replaceAll(SEPARATORS, '')), (one) => ALIKE[one] ?? one);
}

/** Converts full-width characters, as typed on East Asian keyboards, to their usual form. */
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

/** The canonical form of a typed secret; undefined if the text is not a secret. */
export function findSecret(text: string): string | undefined {
  const typed = readTypedSecret(text);
  const { length } = symbolsOf(text);
  return isWholeSecret(typed) && length === SECRET_LENGTH ? typed.secret : undefined;
}

/** Formats a secret in groups of four, with dashes. */
export function groupSecret(secret: string): string {
  return (secret.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-');
}
