import { networkErrorCodeOf } from '../../base/network/network-error.ts';
import { type Outage, UNREACHABLE } from '../engine.ts';

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';

/** SQLSTATEs that mean something else than a database out of reach. */
const OUTAGES: ReadonlyMap<string, Outage> = new Map([
  ['57014', { message: 'The database took too long to answer. Please try again.', retryAfterSeconds: 5 }],
  ['55P03', { message: 'The database is busy. Please try again.', retryAfterSeconds: 5 }],
  ['53100', { message: 'The disk of the database is full.', retryAfterSeconds: 30 }],
  ['53200', { message: 'The database has not enough memory.', retryAfterSeconds: 30 }],
  ['53300', { message: 'The database has too many connections. Please try again.', retryAfterSeconds: 5 }],
  ['25006', { message: 'The database is read-only at the moment.', retryAfterSeconds: 30 }],
  ['58030', { message: 'The disk of the database does not work.', retryAfterSeconds: 30 }],
]);

const BUSY: Outage = { message: 'The database is busy. Please try again.', retryAfterSeconds: 5 };

/** Messages of the driver and of the pool, whose errors have no code. */
const LOST_CONNECTION =
  /Connection terminated|not queryable|timeout expired|timeout exceeded when trying to connect|Query read timeout|has been discarded/;

/**
 * Recognizes SQLSTATE classes 08 (connection), 53 (resources) and 58 (system), codes 57P0x (shutdown), 57014
 * (statement timeout) and 25P03 (idle transaction timeout); what is still retryable after several attempts; and
 * errors of the network or the pool.
 */
export function findOutage(error: unknown): Outage | undefined {
  const code = codeOf(error) ?? '';
  if (isRetryable(error)) return BUSY;
  const known = OUTAGES.get(code);
  if (known !== undefined) return known;
  if (/^(08|53|57P0)|^25P03$|^58000$/.test(code) || networkErrorCodeOf(error) !== undefined)
    return UNREACHABLE;
  return error instanceof Error && LOST_CONNECTION.test(error.message) ? UNREACHABLE : undefined;
}

export function isRetryable(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
