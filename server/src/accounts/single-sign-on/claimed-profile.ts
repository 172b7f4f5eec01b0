import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { isUsername, toDisplayName, toEmail } from '../account-rules.ts';
import type { Claims } from './identity-provider.ts';

const MAX_USERNAME = 64;
const MIN_USERNAME = 3;

/** Longer texts are not looked at. */
const MAX_CLAIM = 1_024;

/** What a new account takes over from the provider. */
export interface ClaimedProfile {
  /** Valid, and perhaps taken. */
  readonly username: string;
  /** Undefined if the provider names none that is valid. */
  readonly displayName: string | undefined;
  /** Null if there is none that is valid, or if the provider says that it was not verified. */
  readonly email: string | null;
}

export function toClaimedProfile(claims: Claims): ClaimedProfile {
  const address = textOf(claims.email);
  return {
    username: findUsername([claims.preferred_username, claims.nickname, address, claims.name]) ?? 'user',
    displayName: valid(textOf(claims.name), toDisplayName),
    email: isUnverified(claims) ? null : (valid(address, toEmail) ?? null),
  };
}

/** Some providers send a text in place of the boolean of OpenID Connect Core 1.0, section 5.1. */
function isUnverified({ email_verified: verified }: Claims): boolean {
  return verified === false || (typeof verified === 'string' && verified.toLowerCase() === 'false');
}

/** The name with a number, if it is not the first of its kind. No longer than usernames can be. */
export function withNumber(username: string, number: number): string {
  if (number === 1) return username;
  const ending = String(number);
  return username.slice(0, MAX_USERNAME - ending.length) + ending;
}

function findUsername(claims: readonly unknown[]): string | undefined {
  return claims.map((claim) => toPossibleUsername(textOf(claim))).find((name) => name !== undefined);
}

/** Takes what is before an "@", drops accents, and replaces all other signs that usernames cannot have. */
function toPossibleUsername(text: string | undefined): string | undefined {
  const decomposed = toNormalForm(text?.split('@')[0] ?? '', MAX_CLAIM, 'NFD') ?? '';
  const plain = decomposed.replaceAll(/\p{M}/gu, '');
  const name = plain
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_USERNAME);
  if (name === '') return undefined;
  const long = name.length < MIN_USERNAME ? `user-${name}` : name;
  return isUsername(long) ? long : undefined;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.length <= MAX_CLAIM ? claim : undefined;
}

/** Gives undefined for a text that a rule rejects. */
function valid(text: string | undefined, convert: (text: string) => string): string | undefined {
  try {
    return text === undefined ? undefined : convert(text);
  } catch {
    return undefined;
  }
}
