import { PostgresDialect } from 'kysely';
import pg, { type ClientBase } from 'pg';
import type { Engine } from '../engine.ts';
import { postgresNameIndex } from './name-index.ts';
import { nameHotStatements } from './named-statements.ts';
import { PostgresNotificationChannel } from './notification-channel.ts';

const INT8 = 20;
const MAX_CONNECTIONS = 20;
const DEADLOCK = '40P01';
/** Long, because copying or purging millions of entries is one statement. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const SERIALIZATION_FAILURE = '40001';

/**
 * Opens a PostgreSQL database, which any number of instances may share. PostgreSQL itself makes commits
 * durable when `synchronous_commit` is on. Each connection switches it on, since the server, the database or
 * the role may have it off.
 *
 * @param onIdleError called when a connection breaks that no query is using
 */
export function openPostgres(url: string, onIdleError: (error: Error) => void): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'holdall',
    onConnect: makeCommitsDurable,
    types: {
      getTypeParser: (id, format) => (id === INT8 ? toSafeInteger : pg.types.getTypeParser(id, format)),
    },
  });
  // Without a listener the error of an idle connection would crash the process.
  pool.on('error', onIdleError);
  // The pool removes its own listener while a connection is in use. If the connection breaks between two
  // statements of a transaction, the next statement fails; the error event itself must not crash the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', nameHotStatements);
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool }),
    threads: undefined,
    columnTypes: {
      id: 'bigint generated always as identity primary key',
      integer: 'bigint',
      text: 'text collate "C"',
    },
    nameIndex: postgresNameIndex,
    notificationChannel: new PostgresNotificationChannel(url, onIdleError),
    flush: () => Promise.resolve(),
    integrityQuery: undefined,
    volatileCommit: 'set local synchronous_commit = off',
    migrationLock: 'select pg_advisory_xact_lock(4806291746)',
    saveCopy: undefined,
    isRetryable,
    isUnavailable,
  };
}

/** Runs before the connection is used. Leaves `remote_apply` alone, which promises more. */
async function makeCommitsDurable(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('synchronous_commit', 'on', false)
      where current_setting('synchronous_commit') <> 'remote_apply'`,
  );
}

/**
 * Our 64-bit integers are sizes, counts, instants and ids, all below 2^53. Others must not be rounded
 * silently.
 */
function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`The integer ${text} does not fit a number.`);
  return number;
}

// SQLSTATE classes 08 (connection) and 53 (resources), codes 57P0x (shutdown), 57014 (statement timeout) and
// 25P03 (idle transaction timeout); what is still retryable after several attempts; and errors of the socket
// or the pool.
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (isRetryable(error)) return true;
  if (/^(08|53)|^57P0|^57014$|^25P03$|^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_)/.test(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(error.message)
  );
}

function isRetryable(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
