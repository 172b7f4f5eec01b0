import { MINUTE, SECOND } from '../base/clock.ts';

/** So many failures in a window that begins with the first; with `all`, successes count too. */
export interface WindowRule {
  readonly kind: 'window';
  readonly name: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
  readonly counts: 'failures' | 'all';
}

/** After so many failures in a row, a delay before the next try that doubles with each; a success ends it. */
export interface StreakRule {
  readonly kind: 'streak';
  readonly name: string;
  readonly freeFailures: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

export type LimitRule = WindowRule | StreakRule;

/** Contract, section 11. */
export const CREDENTIALS_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'credentials',
  maxAttempts: 30,
  windowMs: MINUTE,
  counts: 'failures',
};

export const CREDENTIALS_BY_ACCOUNT: StreakRule = {
  kind: 'streak',
  name: 'account',
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

/** Whoever guesses from many addresses uses this one up: there are a billion codes. */
export const PICKUP_CODES_TOTAL: WindowRule = {
  kind: 'window',
  name: 'pickup-codes-in-all',
  maxAttempts: 2_000,
  windowMs: MINUTE,
  counts: 'failures',
};
