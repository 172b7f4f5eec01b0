import { Failure } from '../base/failure.ts';
import { MAX_UNITS_PER_CHARACTER, toNormalForm } from '../base/text/names/normal-form.ts';

/*
 * Rules for the text fields of accounts. Each `to…` function converts the text that a user typed to the form
 * that is stored, or throws a Failure `invalid`.
 */

const USERNAME = /^[A-Za-z0-9._-]{3,64}$/;
/** The maximum number of single sign-on identities per account. */
export const MAX_IDENTITIES = 10;

const MAX_EMAIL = 128;
// Rejects quoted local parts, which hardly anyone has, and domains without a dot, since `name@gmail` is a
// typo.
const EMAIL =
  /^[^\s@"(),:;<>[\]\\\p{Cc}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
const PHONE_NUMBER = /^\+?\d{5,20}$/;
/** The maximum length as typed, with spaces and punctuation. */
const MAX_PHONE_TEXT = 64;
const MAX_DISPLAY_NAME = 64;
const MAX_CREDENTIAL_NAME = 64;
const MAX_BIO = 280;
const MAX_INVITE_NOTE = 200;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 128;

export function isUsername(text: string): boolean {
  return USERNAME.test(text);
}

export function toUsername(text: string): string {
  if (!isUsername(text)) {
    throw new Failure('invalid', 'The username must be 3 to 64 letters (A-Z), digits or the signs . _ -', {
      field: 'username',
    });
  }
  return text;
}

/** Two usernames count as the same if their folded forms are equal. */
export function foldUsername(username: string): string {
  return username.toLowerCase();
}

export function toEmail(text: string): string {
  const email = toNormalForm(text.trim(), MAX_EMAIL * MAX_UNITS_PER_CHARACTER);
  if (email === undefined || lengthOf(email) > MAX_EMAIL || !EMAIL.test(email)) {
    throw new Failure(
      'invalid',
      `The e-mail address must be a valid one of at most ${MAX_EMAIL} characters.`,
      { field: 'email' },
    );
  }
  return email;
}

export function foldEmail(email: string): string {
  return email.toLowerCase();
}

/** Digits with an optional leading `+`. Spaces and punctuation between the digits are removed. */
export function toPhoneNumber(text: string): string {
  const number =
    text.length > MAX_PHONE_TEXT ? '' : text.replace(/[\s.()[\]\-\u2010-\u2015\u2212\p{Cf}]/gu, '');
  if (!PHONE_NUMBER.test(number)) {
    throw new Failure('invalid', 'The phone number must have 5 to 20 digits, with or without a leading +.', {
      field: 'phoneNumber',
    });
  }
  return number;
}

export function toDisplayName(text: string): string {
  const name = toNormalForm(text.trim(), MAX_DISPLAY_NAME * MAX_UNITS_PER_CHARACTER);
  if (!name || lengthOf(name) > MAX_DISPLAY_NAME || hasControls(name)) {
    throw new Failure('invalid', `The display name must be 1 to ${MAX_DISPLAY_NAME} characters.`);
  }
  return name;
}

/** The name that a user gives to an app password. */
export function toCredentialName(text: string): string {
  const name = toNormalForm(text.trim(), MAX_CREDENTIAL_NAME * MAX_UNITS_PER_CHARACTER);
  if (!name || lengthOf(name) > MAX_CREDENTIAL_NAME || hasControls(name)) {
    throw new Failure('invalid', `The name must be 1 to ${MAX_CREDENTIAL_NAME} characters.`);
  }
  return name;
}

/** An administrator's note about an invite; null for blank text. */
export function toInviteNote(text: string): string | null {
  const note = toNormalForm(text.trim(), MAX_INVITE_NOTE * MAX_UNITS_PER_CHARACTER);
  if (note === undefined || lengthOf(note) > MAX_INVITE_NOTE || hasControls(note)) {
    throw new Failure('invalid', `The note must be at most ${MAX_INVITE_NOTE} characters.`);
  }
  return note === '' ? null : note;
}

/** Returns null for blank text. */
export function toBio(text: string): string | null {
  const normalized = toNormalForm(text.trim(), MAX_BIO * MAX_UNITS_PER_CHARACTER);
  const bio = normalized?.replaceAll('\r\n', '\n');
  if (bio === undefined || lengthOf(bio) > MAX_BIO || hasControls(bio.replace(/[\n\t]/g, ''))) {
    throw new Failure('invalid', `The bio must be at most ${MAX_BIO} characters.`);
  }
  return bio === '' ? null : bio;
}

/** The canonical form of a BCP 47 tag (`en-us` becomes `en-US`); null for blank text. */
export function toLanguage(text: string): string | null {
  const tag = text.trim();
  if (tag === '') return null;
  try {
    if (tag.length <= 64) return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    // Rejected below, with our message.
  }
  throw new Failure('invalid', 'The preferred language must be a language tag such as en or pt-BR.');
}

/**
 * Checks length and commonness only. Rules about digits or special characters do not make passwords harder to
 * guess.
 * @param common common passwords in lower case
 * @param field the request member that contains the password
 * @throws Failure `invalid`
 */
export function checkPassword(
  password: string,
  username: string,
  common: ReadonlySet<string>,
  field = 'password',
): void {
  const fault = findPasswordFault(password, username, common);
  if (fault !== undefined) throw new Failure('invalid', `The password ${fault}.`, { field });
}

/**
 * The rule that a password breaks, as the rest of a sentence after "The password"; undefined if it breaks
 * none.
 */
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

export function checkNotBanned(account: { banned: 0 | 1 }): void {
  if (account.banned === 1) throw new Failure('forbidden', 'This account is banned.');
}

/** The number of code points, which is close to the number of characters that people count. */
function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}
