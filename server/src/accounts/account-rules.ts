import { Failure } from '../base/failure.ts';

/*
 * What accounts are made of, as text that a person typed (contract, section 2). Each `to…` gives the form that is
 * stored, or throws `invalid`.
 */

const USERNAME = /^[A-Za-z0-9._-]{3,64}$/;
const MAX_EMAIL = 128;
// No quoted local parts: nobody has one. At least one dot in the domain, since `name@gmail` is a slip of the hand.
const EMAIL =
  /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
const PHONE_NUMBER = /^\+?\d{5,20}$/;
const MAX_DISPLAY_NAME = 64;
const MAX_BIO = 280;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;

export function isUsername(text: string): boolean {
  return USERNAME.test(text);
}

export function toUsername(text: string): string {
  if (!isUsername(text)) {
    throw new Failure('invalid', 'The username must be 3 to 64 letters (A-Z), digits or the signs . _ -');
  }
  return text;
}

/** Two usernames are the same one when this is. */
export function foldUsername(username: string): string {
  return username.toLowerCase();
}

export function toEmail(text: string): string {
  const email = text.trim().normalize('NFC');
  if (lengthOf(email) > MAX_EMAIL || !EMAIL.test(email)) {
    throw new Failure(
      'invalid',
      `The e-mail address must be a valid one of at most ${MAX_EMAIL} characters.`,
    );
  }
  return email;
}

export function foldEmail(email: string): string {
  return email.toLowerCase();
}

/** Digits with an optional leading `+`; what people put between digits is dropped. */
export function toPhoneNumber(text: string): string {
  const number = text.replace(/[\s.()[\]\-\u2010-\u2015]/g, '');
  if (!PHONE_NUMBER.test(number)) {
    throw new Failure('invalid', 'The phone number must have 5 to 20 digits, with or without a leading +.');
  }
  return number;
}

export function toDisplayName(text: string): string {
  const name = text.trim().normalize('NFC');
  const length = lengthOf(name);
  if (length < 1 || length > MAX_DISPLAY_NAME || hasControls(name)) {
    throw new Failure('invalid', `The display name must be 1 to ${MAX_DISPLAY_NAME} characters.`);
  }
  return name;
}

/** Blank means none. */
export function toBio(text: string): string | null {
  const bio = text.trim().normalize('NFC').replaceAll('\r\n', '\n');
  if (lengthOf(bio) > MAX_BIO || hasControls(bio.replace(/[\n\t]/g, ''))) {
    throw new Failure('invalid', `The bio must be at most ${MAX_BIO} characters.`);
  }
  return bio === '' ? null : bio;
}

/** The canonical form of a BCP 47 tag (`en-us` gives `en-US`); blank means none. */
export function toLanguage(text: string): string | null {
  const tag = text.trim();
  if (tag === '') return null;
  try {
    if (tag.length <= 64) return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    // Refused below, in our words.
  }
  throw new Failure('invalid', 'The preferred language must be a language tag such as en or pt-BR.');
}

/**
 * No rule of composition: long passwords nobody else has are what counts.
 * @param common in lower case
 */
export function checkPassword(password: string, username: string, common: ReadonlySet<string>): void {
  const fault = findPasswordFault(password, username, common);
  if (fault !== undefined) throw new Failure('invalid', `The password ${fault}.`);
}

export function findPasswordFault(
  password: string,
  username: string,
  common: ReadonlySet<string>,
): string | undefined {
  const length = lengthOf(password);
  if (length < MIN_PASSWORD) return `must have at least ${MIN_PASSWORD} characters`;
  if (length > MAX_PASSWORD) return `must have at most ${MAX_PASSWORD} characters`;
  const folded = password.toLowerCase();
  if (folded === foldUsername(username)) return 'must not be the username';
  if (common.has(folded)) return 'is one of the most common ones, which are tried first';
  return undefined;
}

/** Characters as people count them, nearly: code points. */
function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}
