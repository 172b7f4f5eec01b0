import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { isUsername, toDisplayName, toEmail } from '../account-rules.ts';
import type { Claims } from './identity-provider.ts';

const MAX_USERNAME = 64;
const MIN_USERNAME = 3;

/** Longer texts are ignored. */
const MAX_CLAIM = 1_024;

/** What a new account takes from the claims of the provider. */
export interface ClaimedProfile {
  /** A valid username. Another account may already have it. */
  readonly username: string;
  /** Undefined if the provider sends no valid name. */
  readonly displayName: string | undefined;
  /** Null if the provider sends no valid address, or says that it was not verified. */
  readonly email: string | null;
  /** Whether the provider says that it has verified the address. */
  readonly isEmailVerified: boolean;
}

export function toClaimedProfile(claims: Claims): ClaimedProfile {
  const address = textOf(claims.email);
  return {
    username: findUsername([claims.preferred_username, claims.nickname, address, claims.name]) ?? 'user',
    displayName: convertIfValid(textOf(claims.name), toDisplayName),
    email: saysVerified(claims, false) ? null : (convertIfValid(address, toEmail) ?? null),
    isEmailVerified: saysVerified(claims, true),
  };
}

/** Some providers send a text instead of the boolean of OpenID Connect Core 1.0, section 5.1. */
function saysVerified({ email_verified: verified }: Claims, expected: boolean): boolean {
  return (
    verified === expected || (typeof verified === 'string' && verified.toLowerCase() === String(expected))
  );
}

/** Appends the number to the name, unless it is 1. The result is never longer than a username may be. */
export function withNumber(username: string, number: number): string {
  if (number === 1) return username;
  const ending = String(number);
  return username.slice(0, MAX_USERNAME - ending.length) + ending;
}

function findUsername(claims: readonly unknown[]): string | undefined {
  return claims.map((claim) => toPossibleUsername(textOf(claim))).find((name) => name !== undefined);
}

/**
 * Takes the part before an "@", removes accents, and replaces all other characters that usernames cannot
 * have.
 */
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

/** Returns undefined for a text that the conversion rejects. */
function convertIfValid(text: string | undefined, convert: (text: string) => string): string | undefined {
  try {
    return text === undefined ? undefined : convert(text);
  } catch {
    return undefined;
  }
}
