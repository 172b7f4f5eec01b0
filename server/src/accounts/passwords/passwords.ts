import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

/** argon2id (RFC 9106), the weakest setting that OWASP recommends: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The least that argon2 accepts. */
const TEST_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

let cost = COST;

/** From now on hashes in this process cost next to nothing. Only tests, which register thousands of people, call this. */
export function usePasswordCostOfTests(): void {
  cost = TEST_COST;
}

// Hashing runs on the threads that also flush files, four of them: a rush of logins must leave some.
const MOST_AT_ONCE = Math.min(availableParallelism(), 3);
let running = 0;
const waiting: (() => void)[] = [];

/** The password in PHC string form, with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(prepare(password), cost));
}

/** Whether the hash is this password's. Without a hash the answer is no, and costs the same. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? hashOfNobody(), prepare(password)));
  return matches && passwordHash !== null;
}

/** A hash of the current cost that no password has. */
function hashOfNobody(): string {
  const { memoryCost, timeCost, parallelism } = cost;
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
}

/** One password, however a keyboard composes its accents (NIST SP 800-63B, section 5.1.1.2). */
function prepare(password: string): string {
  return password.normalize('NFKC');
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  // Whoever ends hands its place on, so the count stays.
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
