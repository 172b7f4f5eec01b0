import { PostgresDialect } from 'kysely';
import pg, { type ClientBase } from 'pg';
import type { Engine } from '../engine.ts';
import { postgresNameIndex } from './name-index.ts';
import { PostgresNotificationChannel } from './notification-channel.ts';

const INT8 = 20;
const MAX_CONNECTIONS = 20;
const DEADLOCK = '40P01';
/** A copy or a purge of millions of entries is one statement. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const SERIALIZATION_FAILURE = '40001';

/**
 * PostgreSQL, shared by as many instances as there are. Commits are durable by its own `synchronous_commit`, which every
 * connection sees to: the server, the database or the role may have it off.
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
  // Without a listener a connection that breaks while idle would end the program.
  pool.on('error', onIdleError);
  // The pool takes its own listener away while a connection is in use. What breaks then between two statements of a
  // transaction is told to the next one, and must not end the program either.
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool }),
    columnTypes: {
      id: 'bigint generated always as identity primary key',
      integer: 'bigint',
      text: 'text collate "C"',
    },
    nameIndex: postgresNameIndex,
    notificationChannel: new PostgresNotificationChannel(url, onIdleError),
    flush: () => Promise.resolve(),
    integrityQuery: undefined,
    migrationLock: 'select pg_advisory_xact_lock(4806291746)',
    isRetryable: (error) => [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(error) ?? ''),
    isUnavailable,
  };
}

/** Awaited before the connection is used. `remote_apply` promises more and stays. */
async function makeCommitsDurable(client: ClientBase): Promise<void> {
  await client.query(
    `select set_config('synchronous_commit', 'on', false)
      where current_setting('synchronous_commit') <> 'remote_apply'`,
  );
}

/** Our 64-bit integers are sizes, counts, instants and ids, all below 2^53; anything else must not pass quietly. */
function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`The integer ${text} does not fit a number.`);
  return number;
}

// Classes 08 (connection), 53 (resources), 57P0x (shut down), 57014 (the statement took too long), 25P03 (the transaction
// was idle for too long); and what the socket or the pool says.
function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (/^(08|53)|^57P0|^57014$|^25P03$|^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_)/.test(code)) return true;
  return (
    error instanceof Error &&
    /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(error.message)
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
