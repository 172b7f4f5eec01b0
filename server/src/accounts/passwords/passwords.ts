import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { FairSemaphore } from '../../base/concurrency/fair-semaphore.ts';
import { Failure } from '../../base/failure.ts';
import { requesterKeyOf } from '../../base/network/requester-key.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';

/** argon2id (RFC 9106) with the lowest cost that OWASP recommends: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The lowest cost that argon2 accepts. */
const TEST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * The maximum length of a password that is hashed or verified, in code units. An operator may set a longer
 * password for the first admin than users may choose.
 */
export const MAX_PASSWORD_LENGTH = 1_024;

let cost = COST;

/** Makes hashing cheap in this process. Only for tests, which register thousands of users. */
export function useTestPasswordCost(): void {
  cost = TEST_COST;
}

/**
 * Hashing runs on the four threads of libuv's pool, which also flush files. At most three hashes at once
 * leave a thread for that. At least two let one account or address leave a slot to the others.
 */
const MAX_CONCURRENT_HASHES = Math.min(Math.max(availableParallelism(), 2), 3);

const MAX_WAITING = 100;

/**
 * Who asks for a hash: an account, the address of a client without a login, or, with neither, the operator.
 */
export interface Requester {
  readonly accountId?: number | undefined;
  readonly address?: string;
  /** A login goes before other requests of its address, such as guesses at the password of a share. */
  readonly isLogin?: boolean;
}

/** Shares the processor time for hashes fairly between requesters, in this process. */
class PasswordQueue {
  readonly #semaphore = new FairSemaphore(MAX_CONCURRENT_HASHES, MAX_WAITING);

  /** Number of hashes that wait for their turn. */
  get waitingCount(): number {
    return this.#semaphore.waitingCount;
  }

  /** @throws Failure `too-many` when too many hashes wait */
  run<T>({ accountId, address, isLogin }: Requester, work: () => Promise<T>): Promise<T> {
    const isOperator = accountId === undefined && address === undefined;
    const key = isOperator ? 'operator' : requesterKeyOf({ accountId, address: address ?? '' });
    return this.#semaphore.run(key, work, isLogin);
  }
}

export const passwordQueue = new PasswordQueue();

/**
 * The hash of the password with a new salt, as a PHC string.
 * @throws Failure `invalid` if it is too long; `too-many` when too many hashes wait
 */
export async function hashPassword(password: string, requester: Requester): Promise<string> {
  const prepared = normalisePassword(password);
  if (prepared === undefined) throw new Failure('invalid', 'The password is too long.');
  return await passwordQueue.run(requester, () => hash(prepared, cost));
}

/**
 * Whether the password has this hash. Without a hash it returns false after the same time. A password that is
 * too long to be hashed matches none.
 * @throws Failure `too-many` when too many hashes wait
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  requester: Requester,
): Promise<boolean> {
  const prepared = normalisePassword(password);
  if (prepared === undefined) return false;
  const matches = await passwordQueue.run(requester, () => verify(passwordHash ?? dummyHash(), prepared));
  return matches && passwordHash !== null;
}

/** A hash of the current cost that matches no password. */
function dummyHash(): string {
  const { memoryCost, timeCost, parallelism } = cost;
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
}

/**
 * Normalises the password, because keyboards compose accents differently (NIST SP 800-63B, section 5.1.1.2).
 */
function normalisePassword(password: string): string | undefined {
  return toNormalForm(password, MAX_PASSWORD_LENGTH, 'NFKC');
}
