import { doublingDelayMs } from '../base/backoff.ts';
import { type Clock, SECOND } from '../base/clock.ts';
import { Failure, type FailureKind } from '../base/failure.ts';
import { addressKeyOf } from '../base/network/address-key.ts';
import type { Database, Tx } from '../database/database.ts';
import { AttemptQueues } from './attempt-queues.ts';
import {
  admitToStreak,
  admitToWindow,
  blockUntil,
  deleteAttempts,
  deleteExpiredAttempts,
  endAttempt,
  findRefusal,
} from './queries.ts';
import type { LimitRule } from './rules.ts';

export {
  CREDENTIALS_BY_ACCOUNT,
  CREDENTIALS_BY_ADDRESS,
  PICKUP_CODES_BY_ADDRESS,
  PICKUP_CODES_TOTAL,
  REGISTRATIONS_BY_ADDRESS,
  SHARE_PASSWORDS_BY_ADDRESS,
} from './rules.ts';

/** One rule applied to one key: an address, an account, a share and address. */
export interface Limit {
  readonly rule: LimitRule;
  readonly key: string;
}

/** What a wrong password, token or code looks like; every other error says nothing about the credential. */
const WRONG: readonly FailureKind[] = ['unauthenticated', 'forbidden', 'not-found', 'rejected'];

/** Places that attempts under way hold are free again within milliseconds, so a newcomer waits for one. */
const MOST_WAIT_MS = 5_000;

/**
 * The one limiter for everything that can be guessed, shared by all instances through the database.
 *
 * While a limit holds, the right password is refused like a wrong one; so whoever guesses learns nothing.
 */
export class CredentialLimiter {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #enabled: boolean;
  readonly #lines = new AttemptQueues();

  constructor(database: Database, clock: Clock, enabled: boolean) {
    this.#database = database;
    this.#clock = clock;
    this.#enabled = enabled;
  }

  /**
   * Runs `verify` if every limit has room, and counts how it ends: a {@link Failure} that says that the credential was
   * wrong is a failure; anything else is not.
   *
   * @throws Failure `too-many` with the seconds to wait
   */
  async attempt<T>(limits: readonly Limit[], verify: () => Promise<T>): Promise<T> {
    if (!this.#enabled) return verify();
    await this.#admit(limits);
    try {
      const result = await verify();
      await this.#end(limits, 'right');
      return result;
    } catch (error) {
      await this.#end(limits, error instanceof Failure && WRONG.includes(error.kind) ? 'wrong' : 'unknown');
      throw error;
    }
  }

  deleteExpired(): Promise<void> {
    return this.#database.transact((tx) => deleteExpiredAttempts(tx, this.#clock.now()));
  }

  async #admit(limits: readonly Limit[]): Promise<void> {
    // Where others wait already there is no place: asking the database again would only cost.
    let line = limits.map(keyOf).find((key) => this.#lines.hasWaiting(key));
    if (line === undefined) {
      line = await this.#tryToEnter(limits);
      if (line === undefined) return;
    }
    const late = AbortSignal.timeout(MOST_WAIT_MS);
    for (let again = false; ; ) {
      if (!(await this.#lines.wait(line, late, again))) throw tooMany(SECOND);
      const next: string | undefined = await this.#tryToEnter(limits, line);
      if (next === undefined) return;
      again = next === line;
      line = next;
    }
  }

  /**
   * Gives the key under which there is no place at the moment, undefined once inside. Whoever leaves the line `from`
   * which it comes, in whatever way, lets the next one try.
   */
  async #tryToEnter(limits: readonly Limit[], from?: string): Promise<string | undefined> {
    const now = this.#clock.now();
    const refusal = await this.#database.transact((tx) => this.#takePlaces(tx, limits));
    const isRefused = refusal !== undefined && refusal.untilMs > now;
    if (from !== undefined && (isRefused || refusal?.key !== from)) this.#lines.wakeNext(from);
    if (isRefused) throw tooMany(refusal.untilMs - now);
    return refusal?.key;
  }

  /** Takes a place under every limit, or none; then says until when it has to wait, 0 for a moment. */
  async #takePlaces(tx: Tx, limits: readonly Limit[]): Promise<{ key: string; untilMs: number } | undefined> {
    const now = this.#clock.now();
    const held: string[] = [];
    for (const limit of limits) {
      const { rule } = limit;
      const key = keyOf(limit);
      const admitted =
        rule.kind === 'window'
          ? await admitToWindow(tx, key, rule, now)
          : await admitToStreak(tx, key, rule, now);
      if (admitted) {
        held.push(key);
        continue;
      }
      for (const other of held) await endAttempt(tx, other, false);
      const refusal = await findRefusal(tx, key);
      if (refusal === undefined) return { key, untilMs: 0 };
      if (rule.kind === 'streak')
        return { key, untilMs: refusal.failures >= rule.freeFailures ? refusal.blockedUntil : 0 };
      return { key, untilMs: refusal.failures >= rule.maxAttempts ? refusal.expiresAt : 0 };
    }
    return undefined;
  }

  async #end(limits: readonly Limit[], how: 'right' | 'wrong' | 'unknown'): Promise<void> {
    await this.#database.transact(async (tx) => {
      for (const limit of limits) {
        const { rule } = limit;
        const key = keyOf(limit);
        if (rule.kind === 'window') {
          await endAttempt(tx, key, how === 'wrong' || rule.counts === 'all');
        } else if (how === 'right') {
          await deleteAttempts(tx, key);
        } else {
          const failures = await endAttempt(tx, key, how === 'wrong');
          if (how === 'unknown' || failures < rule.freeFailures) continue;
          const delayMs = doublingDelayMs(failures - rule.freeFailures, rule.baseDelayMs, rule.maxDelayMs);
          await blockUntil(tx, key, this.#clock.now() + delayMs);
        }
      }
    });
    for (const limit of limits) this.#lines.wakeNext(keyOf(limit));
  }
}

/** The part of a limit's key that stands for an address. */
export function byAddress(rule: LimitRule, address: string, of = ''): Limit {
  return { rule, key: of === '' ? addressKeyOf(address) : `${of}:${addressKeyOf(address)}` };
}

function keyOf({ rule, key }: Limit): string {
  return `${rule.name}:${key}`;
}

function tooMany(waitMs: number): Failure {
  return new Failure('too-many', 'Too many attempts. Please wait before trying again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
