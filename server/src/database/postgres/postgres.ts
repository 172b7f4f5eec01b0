import { PostgresDialect, sql } from 'kysely';
import type { PoolClient } from 'pg';
import pg, { type ClientBase } from 'pg';
import { networkErrorCodeOf } from '../../base/network/network-error.ts';
import { nameOfCompiled } from '../compiled-once.ts';
import { type Engine, type Outage, UNREACHABLE } from '../engine.ts';
import type { NameIndex } from '../name-index.ts';
import { ConnectionWatch, WATCH_LIMITS, type WatchLimits } from './connection-watch.ts';
import { PostgresNotificationChannel } from './notification-channel.ts';
import { PostgresMigration, SCHEMA_LOCK } from './postgres-migration.ts';
import { KEEP_ALIVE } from './sockets.ts';
import { postgresTextIndex } from './text-index.ts';
import type { WatchedConnection } from './watched-connection.ts';

const INT8 = 20;
const DEFAULT_CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 10_000;
/** Long, because copying or purging millions of entries is one statement. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export interface PostgresOptions {
  /** The maximum number of connections in the pool. */
  readonly maxConnections?: number | undefined;
  /** Set by tests, to notice dead connections sooner. */
  readonly watchLimits?: WatchLimits | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly statementTimeoutMs?: number | undefined;
  /** How long a migration waits for a lock. */
  readonly migrationLockMs?: number | undefined;
  /** The name of the connections in `pg_stat_activity`. */
  readonly applicationName?: string | undefined;
}

/**
 * Opens a PostgreSQL database, which any number of instances may share. PostgreSQL itself makes commits
 * durable when `synchronous_commit` is on. Each connection switches it on, because it may be off for the
 * server, the database or the role.
 *
 * @param onIdleError called when an idle connection breaks
 */
export function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  options: PostgresOptions = {},
): Engine {
  const watch = new ConnectionWatch(url, options.watchLimits ?? WATCH_LIMITS);
  const watched = new WeakMap<ClientBase, WatchedConnection>();
  const noteUse = (client: ClientBase, isInUse: boolean) => {
    const connection = watched.get(client);
    if (connection !== undefined) connection.isInUse = isInUse;
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? DEFAULT_CONNECTIONS,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...KEEP_ALIVE,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
    application_name: options.applicationName ?? 'holdall',
    onConnect: async (client) => {
      const connection = watch.add(client);
      watched.set(client, connection);
      await prepareConnection(client, connection);
    },
    types: {
      getTypeParser: (id, format) => (id === INT8 ? toSafeInteger : pg.types.getTypeParser(id, format)),
    },
  });
  // Without a listener, the error of an idle connection would crash the process.
  pool.on('error', onIdleError);
  // The pool removes its own listener while a connection is in use. If the connection breaks between two
  // statements of a transaction, the next statement fails; the error event itself must not crash the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('connect', nameHotStatements);
  pool.on('acquire', (client) => noteUse(client, true));
  pool.on('release', (_error, client) => noteUse(client, false));
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool }),
    threads: undefined,
    columnTypes: {
      id: 'bigint generated always as identity primary key',
      integer: 'bigint',
      text: 'text collate "C"',
      bytes: 'bytea',
    },
    nameIndex: postgresNameIndex,
    textIndex: postgresTextIndex,
    notificationChannel: new PostgresNotificationChannel(url, onIdleError),
    countLoad: () => ({
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      max: pool.options.max,
    }),
    flush: () => Promise.resolve(),
    integrityQuery: undefined,
    volatileCommit: 'set local synchronous_commit = off',
    migrationLock: `select pg_advisory_xact_lock(${SCHEMA_LOCK})`,
    sharedMigration: new PostgresMigration(options.migrationLockMs),
    saveCopy: undefined,
    isRetryable,
    findOutage,
  };
}

/**
 * Runs before the connection is used. Makes commits durable. Keeps `remote_apply`, which promises even more.
 */
async function prepareConnection(client: ClientBase, connection: WatchedConnection): Promise<void> {
  const { rows } = await client.query<{ pid: number; began: string }>(
    `select pid, backend_start::text as began,
        case when current_setting('synchronous_commit') <> 'remote_apply'
          then set_config('synchronous_commit', 'on', false) end
      from pg_stat_activity where pid = pg_backend_pid()`,
  );
  for (const { pid, began } of rows) connection.identify(pid, began);
}

/**
 * Our 64-bit integers are sizes, counts, instants and ids, all below 2^53. A larger one must not be rounded
 * silently.
 */
function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`The integer ${text} does not fit a number.`);
  return number;
}

/**
 * PostgreSQL's planner picks the index by itself: a trigram index (if the extension is installed) for a rare
 * text, otherwise the index on the owner's names.
 */
const postgresNameIndex: NameIndex = {
  contains: (text) => sql`entry.folded_name like ${toPattern(text)}`,
  containsPlain: (text) =>
    sql`(entry.folded_name like ${toPattern(text)} or entry.plain_name like ${toPattern(text)})`,
  findCandidates: () => undefined,
  consistency: undefined,
};

function toPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Names the statements of {@link CompiledOnce}, which run for nearly every request. So PostgreSQL parses and
 * plans them only once per connection. They find or insert single rows, or read one page of an index, so one
 * plan fits all values.
 */
function nameHotStatements(client: PoolClient): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client);
  const queryByName = (text: unknown, values: unknown, ...more: unknown[]) => {
    const name = typeof text === 'string' ? nameOfCompiled(text) : undefined;
    return name === undefined ? query(text, values, ...more) : query({ name, text, values });
  };
  client.query = queryByName as typeof client.query;
}

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';

/** SQLSTATEs of outages other than an unreachable database. */
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

/** Error messages from the driver and the pool, whose errors have no code. */
const LOST_CONNECTION =
  /Connection terminated|not queryable|timeout expired|timeout exceeded when trying to connect|Query read timeout|has been discarded/;

/**
 * Recognizes SQLSTATE classes 08 (connection), 53 (resources) and 58 (system), codes 57P0x (shutdown), 57014
 * (statement timeout) and 25P03 (idle transaction timeout); retryable errors that remain after several
 * attempts; and errors from the network or the pool.
 */
function findOutage(error: unknown): Outage | undefined {
  const code = codeOf(error) ?? '';
  if (isRetryable(error)) return BUSY;
  const known = OUTAGES.get(code);
  if (known !== undefined) return known;
  if (/^(08|53|57P0)|^25P03$|^58000$/.test(code) || networkErrorCodeOf(error) !== undefined)
    return UNREACHABLE;
  return error instanceof Error && LOST_CONNECTION.test(error.message) ? UNREACHABLE : undefined;
}

function isRetryable(error: unknown): boolean {
  return [DEADLOCK, SERIALIZATION_FAILURE].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
