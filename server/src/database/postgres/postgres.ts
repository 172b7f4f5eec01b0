import { PostgresDialect } from 'kysely';
import pg, { type ClientBase } from 'pg';
import type { Engine } from '../engine.ts';
import { ConnectionWatch, WATCH_LIMITS, type WatchLimits } from './connection-watch.ts';
import { postgresNameIndex } from './name-index.ts';
import { nameHotStatements } from './named-statements.ts';
import { PostgresNotificationChannel } from './notification-channel.ts';
import { findOutage, isRetryable } from './outages.ts';
import { PostgresMigration, SCHEMA_LOCK } from './postgres-migration.ts';
import { KEEP_ALIVE } from './sockets.ts';
import type { WatchedConnection } from './watched-connection.ts';

const INT8 = 20;
const DEFAULT_CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 10_000;
/** Long, because copying or purging millions of entries is one statement. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export interface PostgresOptions {
  /** The connections of the pool. */
  readonly maxConnections?: number | undefined;
  /** Lets tests notice dead connections sooner. */
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
 * durable when `synchronous_commit` is on. Each connection switches it on, since the server, the database or
 * the role may have it off.
 *
 * @param onIdleError called when a connection breaks that no query is using
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
  // Without a listener the error of an idle connection would crash the process.
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
    },
    nameIndex: postgresNameIndex,
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
 * Runs before the connection is used. Makes commits durable, but leaves `remote_apply` alone, which promises
 * more.
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
 * Our 64-bit integers are sizes, counts, instants and ids, all below 2^53. Others must not be rounded
 * silently.
 */
function toSafeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`The integer ${text} does not fit a number.`);
  return number;
}
