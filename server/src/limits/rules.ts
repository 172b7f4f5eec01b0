import { HOUR, MINUTE, SECOND } from '../base/clock.ts';

/**
 * At most `maxAttempts` failures in a window that begins with the first one. If `counts` is `all`, successes
 * also count; if it is `successes`, only they count.
 */
export interface WindowRule {
  readonly kind: 'window';
  readonly name: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
  readonly counts: 'failures' | 'successes' | 'all';
  /** Whether single failures are not reported, because people cause them without guessing. */
  readonly isSilent?: true;
}

/**
 * After `freeFailures` failures in a row, the next attempt is delayed. The delay doubles with every failure.
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
 * Failed passwords of one account, from any address. The delay stays short: anyone can guess passwords for a
 * known name, and must not be able to lock out its owner.
 */
export const CREDENTIALS_BY_ACCOUNT: StreakRule = {
  kind: 'streak',
  name: 'account',
  freeFailures: 10,
  baseDelayMs: SECOND,
  maxDelayMs: 30 * SECOND,
};

/**
 * Failed second-factor codes of one account, from any address. Only someone who knows the password can try
 * codes, and there are only a million codes, so the delay becomes long.
 */
export const CODES_BY_ACCOUNT: StreakRule = {
  kind: 'streak',
  name: 'codes',
  freeFailures: 10,
  baseDelayMs: SECOND,
  maxDelayMs: 15 * MINUTE,
};

/** Searches of one account that found nobody, and unknown names of new members. */
export const PEOPLE_BY_ACCOUNT: WindowRule = {
  kind: 'window',
  name: 'people',
  maxAttempts: 30,
  windowMs: MINUTE,
  counts: 'failures',
  isSilent: true,
};

export const REGISTRATIONS_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'registrations',
  maxAttempts: 120,
  windowMs: MINUTE,
  counts: 'all',
};

/** Password reset mails requested from one client address. */
export const PASSWORD_RESETS_BY_ADDRESS: WindowRule = {
  kind: 'window',
  name: 'password-resets',
  maxAttempts: 20,
  windowMs: HOUR,
  counts: 'all',
  isSilent: true,
};

/** The same for one e-mail address, whether an account has it or not. So no one can flood a mailbox. */
export const PASSWORD_RESETS_BY_EMAIL: WindowRule = {
  kind: 'window',
  name: 'password-resets-by-email',
  maxAttempts: 5,
  windowMs: HOUR,
  counts: 'all',
  isSilent: true,
};

/** Verification mails requested by one account. */
export const VERIFICATIONS_BY_ACCOUNT: WindowRule = {
  kind: 'window',
  name: 'email-verifications',
  maxAttempts: 5,
  windowMs: HOUR,
  counts: 'successes',
  isSilent: true,
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
 * Pickup codes from all addresses together: an attacker might guess the billion codes from many addresses.
 * Beyond this limit each address has fewer guesses ({@link PICKUP_CODES_IN_FLOOD}), so that people can still
 * look up their codes.
 */
export const PICKUP_CODES_TOTAL: WindowRule = {
  kind: 'window',
  name: 'pickup-codes-in-all',
  maxAttempts: 2_000,
  windowMs: MINUTE,
  counts: 'failures',
};

/** Guesses per address while all addresses together make too many: enough for a few typing errors. */
export const PICKUP_CODES_IN_FLOOD: WindowRule = {
  kind: 'window',
  name: 'pickup-codes-in-flood',
  maxAttempts: 3,
  windowMs: MINUTE,
  counts: 'failures',
};
