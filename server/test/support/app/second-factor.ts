import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { RecoveryCodes, TotpEnrolment } from '../../../src/accounts/second-factor/contract.ts';
import type { AccountSecurity } from '../../../src/accounts/security/contract.ts';
import { type Answer, type LoginState, PASSWORD, type Person } from './person.ts';
import type { TestClock } from './test-clock.ts';

export const TOTP_PATH = '/api/user/totp';

const STEP_MS = 30_000;

/** The authenticator app of a person. */
export class Authenticator {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  readonly #clock: TestClock;

  constructor(secret: string, recoveryCodes: readonly string[], clock: TestClock) {
    this.secret = secret;
    this.recoveryCodes = recoveryCodes;
    this.#clock = clock;
  }

  /** The code that the app shows now, or `steps` steps later. It may have been used. */
  code(steps = 0): string {
    return codeAt(this.secret, this.#clock.now() + steps * STEP_MS);
  }

  /** A code that was never used, because it is from a later step. */
  nextCode(): string {
    this.#clock.advance(2 * STEP_MS);
    return this.code();
  }

  /** A six-digit code that is not accepted now. */
  wrongCode(): string {
    const right = [-2, -1, 0, 1, 2].map((steps) => this.code(steps));
    for (let number = 0; ; number += 1) {
      const code = String(number).padStart(6, '0');
      if (!right.includes(code)) return code;
    }
  }
}

export function codeAt(secret: string, now: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now });
}

/** Turns the second factor of a person on. */
export async function setUpTotp(person: Person, clock: TestClock): Promise<Authenticator> {
  const { secret } = await person.ask<TotpEnrolment>('POST', TOTP_PATH);
  const body = { code: codeAt(secret, clock.now()) };
  const { recoveryCodes } = await person.ask<RecoveryCodes>('POST', `${TOTP_PATH}/confirm`, { body });
  return new Authenticator(secret, recoveryCodes, clock);
}

export function securityOf(person: Person): Promise<AccountSecurity> {
  return person.ask('GET', '/api/user/security');
}

interface Needed {
  readonly secondFactor: readonly string[];
  readonly ticket: string;
}

/** Completes the first step of a login with a second factor: the right password. */
export async function beginLogin(person: Person, headers: Record<string, string> = {}): Promise<string> {
  const body = { username: person.username, password: PASSWORD };
  const answer = await person.with(undefined).call<Needed>('POST', '/api/auth/login', { body, headers });
  assert.deepEqual([answer.status, answer.code], [401, 1001]);
  assert.deepEqual(answer.data.secondFactor, ['TOTP', 'RECOVERY']);
  return answer.data.ticket;
}

export function finishLogin(
  person: Person,
  ticket: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<Answer<LoginState>> {
  return person.with(undefined).call('POST', '/api/auth/second-factor', { body: { ticket, code }, headers });
}

/** Logs in with password and code, in a new session. */
export async function logInWith(person: Person, code: string): Promise<Person> {
  const answer = await finishLogin(person, await beginLogin(person), code);
  assert.equal(answer.code, 0, answer.msg);
  return person.with(answer.data);
}
