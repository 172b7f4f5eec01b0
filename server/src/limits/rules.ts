import { MINUTE, SECOND } from '../base/clock.ts';

/** At most `maxAttempts` failures in a window that begins with the first; with `all`, successes count too. */
export interface WindowRule {
  readonly kind: 'window';
  readonly name: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
  readonly counts: 'failures' | 'all';
}

/**
 * After `freeFailures` failures in a row, a delay before the next attempt, which doubles with every failure.
 * A success resets the count.
 */
export interface StreakRule {
  readonly kind: 'streak';
  readonly name: string;
  readonly freeFailures: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

export type LimitRule = WindowRule | StreakRule;

/** Failed passwords and tokens from one address. */
export const CREDENTIALS_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'credentials',
  maxAttempts: 30,
  windowMs: MINUTE,
  counts: 'failures',
};

/** Failed passwords of one account from one address. */
export const CREDENTIALS_BY_ADDRESS_AND_ACCOUNT: StreakRule = {
  kind: 'streak',
  name: 'address-and-account',
  freeFailures: 10,
  baseDelayMs: SECOND,
  maxDelayMs: 15 * MINUTE,
};

/**
 * Failed passwords of one account, from any address. The delay stays short: everybody may guess, and must not
 * be able to lock out the owner of a known name.
 */
export const CREDENTIALS_BY_ACCOUNT: StreakRule = {
  kind: 'streak',
  name: 'account',
  freeFailures: 10,
  baseDelayMs: SECOND,
  maxDelayMs: 30 * SECOND,
};

/**
 * Failed codes of a second factor of one account, from any address. Only somebody who knows the password can
 * try codes, and there are only a million, so the delay becomes long.
 */
export const CODES_BY_ACCOUNT: StreakRule = {
  kind: 'streak',
  name: 'codes',
  freeFailures: 10,
  baseDelayMs: SECOND,
  maxDelayMs: 15 * MINUTE,
};

export const REGISTRATIONS_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'registrations',
  maxAttempts: 120,
  windowMs: MINUTE,
  counts: 'all',
};

/** Guesses at one share's password from one address. */
export const SHARE_PASSWORDS_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'share-passwords',
  maxAttempts: 10,
  windowMs: MINUTE,
  counts: 'failures',
};

export const PICKUP_CODES_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'pickup-codes',
  maxAttempts: 20,
  windowMs: MINUTE,
  counts: 'failures',
};

/**
 * Pickup codes from all addresses together: there are a billion codes, which an attacker might guess from
 * many. Beyond this each address has fewer guesses ({@link PICKUP_CODES_IN_FLOOD}), so that people can still
 * look up theirs.
 */
export const PICKUP_CODES_TOTAL: WindowRule = {
  kind: 'window',
  name: 'pickup-codes-in-all',
  maxAttempts: 2_000,
  windowMs: MINUTE,
  counts: 'failures',
};

/** Guesses of one address while there are too many from all addresses: enough for a few typing errors. */
export const PICKUP_CODES_IN_FLOOD: WindowRule = {
  kind: 'window',
  name: 'pickup-codes-in-flood',
  maxAttempts: 3,
  windowMs: MINUTE,
  counts: 'failures',
};
