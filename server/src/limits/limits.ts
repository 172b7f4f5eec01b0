import { doublingDelayMs } from '../base/backoff.ts';
import { type Clock, type Instant, SECOND } from '../base/clock.ts';
import { Failure, type FailureKind } from '../base/failure.ts';
import { addressKeyOf } from '../base/network/address-key.ts';
import type { Database, Tx } from '../database/database.ts';
import { deleteExpiredRows } from '../database/expired-rows.ts';
import { AttemptQueues } from './attempt-queues.ts';
import {
  admitToStreak,
  admitToWindow,
  blockUntil,
  deleteAttempts,
  endAttempt,
  findRefusal,
} from './queries.ts';
import type { LimitRule, WindowRule } from './rules.ts';

export {
  CODES_BY_ACCOUNT,
  CREDENTIALS_BY_ACCOUNT,
  CREDENTIALS_BY_ADDRESS,
  CREDENTIALS_BY_ADDRESS_AND_ACCOUNT,
  PASSWORD_RESETS_BY_ADDRESS,
  PASSWORD_RESETS_BY_EMAIL,
  PEOPLE_BY_ACCOUNT,
  PICKUP_CODES_BY_ADDRESS,
  PICKUP_CODES_IN_FLOOD,
  PICKUP_CODES_TOTAL,
  REGISTRATIONS_BY_ADDRESS,
  SHARE_PASSWORDS_BY_ADDRESS,
  VERIFICATIONS_BY_ACCOUNT,
} from './rules.ts';

/** A rule and its subject: an address, an account, or a share with an address. */
export interface Limit {
  readonly rule: LimitRule;
  readonly key: string;
  /** The client address, if the key was made from one. */
  readonly address?: string;
  /** Applies instead of this limit while this one is exceeded. */
  readonly whenExceeded?: Limit;
}

/** A credential that was wrong, or was sent while a limit was exceeded. */
interface RefusedCredential {
  /** The name of the rule that counts the attempt, or that is exceeded. */
  readonly limit: string;
  readonly address: string | undefined;
  /** Whether the credential was not checked because a limit is exceeded. */
  readonly isBlocked: boolean;
}

/** Why an attempt cannot begin now. */
interface Obstacle {
  /** The key that has no free slot. */
  readonly key: string;
  readonly rule: LimitRule;
  /** Until when the key is blocked; 0 if running attempts only occupy all of its slots for a moment. */
  readonly untilMs: Instant;
}

/** How an attempt ended. `unknown`: nothing was learned about the credential. */
type Outcome = 'right' | 'wrong' | 'unknown';

/** The kinds of failures caused by a wrong password, token or code. Other errors say nothing about it. */
const WRONG_CREDENTIAL: readonly FailureKind[] = ['unauthenticated', 'forbidden', 'not-found', 'rejected'];

/**
 * How long a new attempt waits for a slot. Running attempts usually free their slots within milliseconds.
 */
const MAX_WAIT_MS = 5_000;

interface CredentialLimiterParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly enabled: boolean;
  /** Called for each refused credential, even if the limits are off. */
  readonly onRefused?: (refused: RefusedCredential) => void;
}

/**
 * Limits attempts to guess passwords, tokens and codes. The counts are in the database and shared by all
 * instances.
 *
 * While a limit is exceeded, even the right password is rejected, so that an attacker learns nothing.
 */
export class CredentialLimiter {
  readonly #parts: CredentialLimiterParts;
  readonly #onRefused: (refused: RefusedCredential) => void;
  readonly #queues = new AttemptQueues();

  constructor(parts: CredentialLimiterParts) {
    this.#parts = parts;
    this.#onRefused = parts.onRefused ?? (() => {});
  }

  /**
   * Runs `verify` if no limit is exceeded, and counts the outcome. A {@link Failure} of a kind that a wrong
   * credential causes counts as a failure; other errors do not. Waits up to 5 s while running attempts occupy
   * all slots.
   *
   * @param isFinal whether the result ends a streak of failures. A right password to be followed by a second
   *   factor does not: it counts neither as a failure nor as a success.
   * @throws Failure `too-many` with the seconds to wait; whatever `verify` throws
   */
  async attempt<T>(
    limits: readonly Limit[],
    verify: () => Promise<T>,
    isFinal: (result: T) => boolean = () => true,
  ): Promise<T> {
    const taken = this.#parts.enabled ? await this.#admit(limits) : [];
    try {
      const result = await verify();
      await this.#end(taken, isFinal(result) ? 'right' : 'unknown');
      return result;
    } catch (error) {
      const isWrong = error instanceof Failure && WRONG_CREDENTIAL.includes(error.kind);
      if (isWrong && !limits.every(isSilent)) this.#report(limits, limits[0]?.rule.name, false);
      await this.#end(taken, isWrong ? 'wrong' : 'unknown');
      throw error;
    }
  }

  /** Deletes the attempts of ended windows and streaks, in batches. Stops when the signal aborts. */
  deleteExpired(signal: AbortSignal): Promise<void> {
    return deleteExpiredRows(this.#parts.database, 'credential_attempt', this.#parts.clock.now(), signal);
  }

  /** Waits for a slot under every limit, and returns the limits under which the attempt has one. */
  async #admit(limits: readonly Limit[]): Promise<readonly Limit[]> {
    // If others are already waiting, no slot is free, and a query would be wasted.
    let queue = limits.map(keyOf).find((key) => this.#queues.hasWaiting(key));
    if (queue === undefined) {
      const entered = await this.#tryToEnter(limits);
      if (typeof entered !== 'string') return entered;
      queue = entered;
    }
    const deadline = AbortSignal.timeout(MAX_WAIT_MS);
    for (let isRetry = false; ; ) {
      if (!(await this.#queues.wait(queue, deadline, isRetry))) throw tooMany(SECOND);
      const next: readonly Limit[] | string = await this.#tryToEnter(limits, queue);
      if (typeof next !== 'string') return next;
      isRetry = next === queue;
      queue = next;
    }
  }

  /**
   * Tries to take a slot under every limit. Returns the limits with a slot, or the key that has no free slot.
   * An attempt that leaves its queue for good wakes the next one there, whether it succeeds or fails.
   *
   * @param from the key of the queue that the attempt came from
   *
   * @throws Failure `too-many` when a limit is exceeded
   */
  async #tryToEnter(limits: readonly Limit[], from?: string): Promise<readonly Limit[] | string> {
    const now = this.#parts.clock.now();
    const { taken, obstacle } = await this.#parts.database.transact((tx) => this.#takeSlots(tx, limits));
    const isRefused = obstacle !== undefined && obstacle.untilMs > now;
    if (from !== undefined && (isRefused || obstacle?.key !== from)) this.#queues.wakeNext(from);
    if (isRefused) {
      this.#report(limits, obstacle.rule.name, true);
      throw tooMany(obstacle.untilMs - now);
    }
    return obstacle?.key ?? taken;
  }

  /** Takes a slot under every limit, or under none if there is an obstacle. */
  async #takeSlots(
    tx: Tx,
    limits: readonly Limit[],
  ): Promise<{ taken: readonly Limit[]; obstacle: Obstacle | undefined }> {
    const taken: Limit[] = [];
    for (let limit of limits) {
      let obstacle = await this.#takeSlot(tx, limit);
      if (
        obstacle !== undefined &&
        obstacle.untilMs > this.#parts.clock.now() &&
        limit.whenExceeded !== undefined
      ) {
        limit = limit.whenExceeded;
        obstacle = await this.#takeSlot(tx, limit);
      }
      if (obstacle === undefined) {
        taken.push(limit);
        continue;
      }
      for (const each of taken) await endAttempt(tx, keyOf(each), false);
      return { taken: [], obstacle };
    }
    return { taken, obstacle: undefined };
  }

  async #takeSlot(tx: Tx, limit: Limit): Promise<Obstacle | undefined> {
    const { rule } = limit;
    const key = keyOf(limit);
    const now = this.#parts.clock.now();
    const admitted =
      rule.kind === 'window'
        ? await admitToWindow(tx, key, rule, now)
        : await admitToStreak(tx, key, rule, now);
    if (admitted) return undefined;
    const refusal = await findRefusal(tx, key);
    if (refusal === undefined) return { key, rule, untilMs: 0 };
    const { failures, blockedUntil, expiresAt } = refusal;
    if (rule.kind === 'streak')
      return { key, rule, untilMs: failures >= rule.freeFailures ? blockedUntil : 0 };
    return { key, rule, untilMs: failures >= rule.maxAttempts ? expiresAt : 0 };
  }

  #report(limits: readonly Limit[], limit: string | undefined, isBlocked: boolean): void {
    const { address } = limits.find((each) => each.address !== undefined) ?? {};
    this.#onRefused({ limit: limit ?? '', address, isBlocked });
  }

  async #end(limits: readonly Limit[], how: Outcome): Promise<void> {
    if (limits.length === 0) return;
    await this.#parts.database.transact(async (tx) => {
      for (const limit of limits) {
        const { rule } = limit;
        const key = keyOf(limit);
        if (rule.kind === 'window') {
          await endAttempt(tx, key, isCounted(rule, how));
        } else if (how === 'right') {
          await deleteAttempts(tx, key);
        } else {
          const failures = await endAttempt(tx, key, how === 'wrong');
          if (how === 'unknown' || failures < rule.freeFailures) continue;
          const delayMs = doublingDelayMs(failures - rule.freeFailures, rule.baseDelayMs, rule.maxDelayMs);
          await blockUntil(tx, key, this.#parts.clock.now() + delayMs);
        }
      }
    });
    for (const limit of limits) this.#queues.wakeNext(keyOf(limit));
  }
}

/**
 * The limit for one client address (with IPv6 for its /64 network).
 * @param scope the part of the service that is counted, such as one share; empty for all
 */
export function byAddress(rule: LimitRule, address: string, scope = ''): Limit {
  const key = addressKeyOf(address);
  return { rule, address, key: scope === '' ? key : `${scope}:${key}` };
}

function isCounted({ counts }: WindowRule, how: Outcome): boolean {
  if (counts === 'all') return true;
  return how === (counts === 'successes' ? 'right' : 'wrong');
}

function isSilent({ rule }: Limit): boolean {
  return rule.kind === 'window' && rule.isSilent === true;
}

function keyOf({ rule, key }: Limit): string {
  return `${rule.name}:${key}`;
}

function tooMany(waitMs: number): Failure {
  return new Failure('too-many', 'Too many attempts. Please wait before trying again.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
