import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../base/clock.ts';
import { isOptionalMail } from '../../base/domain/notifications.ts';
import { TOKEN_TTL_MS } from '../letters/letter.ts';

/** The delays after the first attempts. */
const FIRST_DELAYS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];
/** The delay after each further attempt. */
const DELAY_MS = 4 * HOUR;
/** Holds for every scale. Otherwise a scale of 0 would make all attempts at once. */
const MIN_DELAY_MS = SECOND;
/** All delays together are never longer. */
const MAX_TOTAL_MS = 2 * DAY;

const DELAYS_MS = listDelays();

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

function listDelays(): readonly number[] {
  const delays = [...FIRST_DELAYS_MS];
  for (let total = sum(delays); total + DELAY_MS <= MAX_TOTAL_MS; total += DELAY_MS) delays.push(DELAY_MS);
  return delays;
}

/**
 * When a mail is sent again; undefined if it is given up, because there were enough attempts, or because the
 * link in it will have expired.
 * @param attempt the number of the attempt that failed, from 1
 * @param scale multiplies the delays
 */
export function findNextAttempt(
  mail: { readonly kind: string; readonly createdAt: Instant; readonly attempt: number },
  now: Instant,
  scale: number,
): Instant | undefined {
  const delayMs = DELAYS_MS[mail.attempt - 1];
  if (delayMs === undefined) return undefined;
  const next = now + Math.max(delayMs * scale, MIN_DELAY_MS);
  return next < expiryOf(mail) ? next : undefined;
}

/** When the mail is not worth sending any more: its link has expired, or its news is old. */
export function expiryOf({
  kind,
  createdAt,
}: {
  readonly kind: string;
  readonly createdAt: Instant;
}): Instant {
  const ttls: Readonly<Record<string, number>> = TOKEN_TTL_MS;
  const ttl = ttls[kind] ?? (isOptionalMail(kind) ? DAY : Number.POSITIVE_INFINITY);
  return createdAt + ttl;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
