import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { flushDirectory } from '../../base/bytes/flush-directory.ts';
import { SharedRun } from '../../base/concurrency/shared-run.ts';
import { Failure } from '../../base/failure.ts';
import { createDurableDirectory } from '../durable-directory.ts';
import type { Engine, Outage } from '../engine.ts';
import { Checkpoints } from './checkpoints.ts';
import { SqliteDriver } from './driver.ts';
import { sqliteNameIndex } from './name-index.ts';
import { openConnection } from './open-connection.ts';
import { saveCopy } from './saved-copy.ts';
import { LocalSession } from './session.ts';
import { sqliteTextIndex } from './text-index.ts';
import { ThreadedSession } from './threaded-session.ts';
import { TurnLimitedSession } from './turn-limited-session.ts';

/**
 * Opens the SQLite database, one file in the data directory, which is created if it is missing.
 *
 * Durability. `Engine.flush` promises that every commit made before the call survives a power cut:
 *
 * 1. In WAL mode with `synchronous=NORMAL`, a commit appends frames with checksums to the write-ahead log,
 *    without flushing it.
 * 2. `flush()` then flushes the log with one `fdatasync` for all commits made meanwhile, on a thread of
 *    Node's pool.
 * 3. After a power cut, SQLite replays the log up to its last complete commit. So flushed commits are always
 *    there. Unflushed commits may be missing, the newest first, but none is there in part.
 * 4. Checkpoints (`Checkpoints`) keep that promise: SQLite flushes the log before it copies pages to the
 *    database file, and flushes the database file before the log starts over.
 *
 * With `synchronous=FULL` every commit would flush the log itself, on the event loop (docs/decisions/0001).
 *
 * Work that reads or writes many rows runs on threads with their own connections (docs/decisions/0011). The
 * same promise holds for their commits.
 *
 * Several processes may have the file open: the server and the command line. SQLite's locks separate their
 * transactions (one waits up to five seconds for the other), each process flushes its own commits, and a
 * checkpoint by either of them flushes the log first. All of them must run on one machine, because they share
 * memory.
 *
 * @param options set by tests, to choose when checkpoints run
 * @throws Error with a sentence for the operator if the directory cannot be written
 */
export function openSqlite(
  file: string,
  options: { readonly everyPages?: number; readonly largePages?: number } = {},
): Engine {
  createDurableDirectory(path.dirname(file));
  const fault = findSqliteWriteFault(file);
  if (fault !== undefined) throw new Error(fault);
  createPrivateFile(file);
  const main = new LocalSession(openConnection(file));
  const log = new WriteAheadLog(`${file}-wal`);
  const load = { inUse: 0, waiting: 0 };
  const hooks = { onCommit: () => checkpoints.noteCommit(), load };
  const reading = new SqliteDriver(file, new ThreadedSession(file), hooks);
  const checkpoints = new Checkpoints({
    file,
    thread: new ThreadedSession(file),
    findLogSize: () => main.findLogSize(),
    lockReaders: async () => {
      await reading.acquireConnection();
      return () => void reading.releaseConnection();
    },
    ...options,
  });
  const afterClose = async () => {
    await checkpoints.close();
    await log.close();
  };
  return {
    name: 'sqlite',
    dialect: toDialect(new SqliteDriver(file, new TurnLimitedSession(main), { ...hooks, afterClose })),
    threads: {
      writing: toDialect(new SqliteDriver(file, new ThreadedSession(file), hooks)),
      reading: toDialect(reading),
    },
    columnTypes: { id: 'integer primary key autoincrement', integer: 'integer', text: 'text', bytes: 'blob' },
    nameIndex: sqliteNameIndex,
    textIndex: sqliteTextIndex,
    notificationChannel: undefined,
    countLoad: () => ({ ...load, max: 1 }),
    flush: () => log.flush(),
    volatileCommit: undefined,
    migrationLock: undefined,
    sharedMigration: undefined,
    saveCopy: (step, applied) => saveCopy(file, step, applied),
    integrityQuery: 'select integrity_check as message from pragma_integrity_check',
    isRetryable: () => false,
    findOutage,
  };
}

/**
 * Why the database cannot be opened for writing, as a sentence; undefined if it can be, or does not exist.
 */
export function findSqliteWriteFault(file: string): string | undefined {
  const directory = path.dirname(file);
  for (const place of [directory, file, `${file}-wal`, `${file}-shm`]) {
    if (!existsSync(place)) continue;
    try {
      accessSync(place, constants.W_OK);
    } catch (error) {
      const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS';
      if (isReadOnly) return `The disk of ${directory} is read-only.`;
      return `This user may not write ${place}.`;
    }
  }
  return undefined;
}

/**
 * Creates the file so that only this user can read it. SQLite would make it readable by everyone, and gives
 * its other files the same mode. An existing file is not opened: under the rules of POSIX locks, closing it
 * would release the locks that another connection of this process holds on it.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function toDialect(driver: SqliteDriver): Dialect {
  return {
    createAdapter: () => new QueueingAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

/**
 * Tells Kysely that there are several connections, although there is one. Otherwise, Kysely would queue
 * callers itself. A query on the root handle inside a transaction would then wait in that queue forever
 * instead of throwing. Our driver queues its callers.
 */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Flushes SQLite's log file through its own descriptor. SQLite has no locks on this file, so closing the
 * descriptor releases none. SQLite keeps the file while its connection is open, so the descriptor stays
 * valid.
 */
class WriteAheadLog {
  readonly #path: string;
  readonly #sharedFlush = new SharedRun(() => this.#flushNow());
  #handle: FileHandle | undefined;
  #failure: Failure | undefined;

  constructor(file: string) {
    this.#path = file;
  }

  flush(): Promise<void> {
    return this.#sharedFlush.wait();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #flushNow(): Promise<void> {
    this.#handle ??= await openDurably(this.#path);
    // After a failed flush the kernel may drop the unwritten pages and report the next flush as a success.
    // Commits after the lost pages could not be replayed, so no commit is acknowledged until the process
    // restarts.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#failure = new Failure('unavailable', 'The database cannot be written.', {
        retryAfterSeconds: 60,
        cause: error,
      });
      throw this.#failure;
    }
  }
}

/** Opens the file after making its name durable. If that fails, the next flush tries again. */
async function openDurably(file: string): Promise<FileHandle> {
  const handle = await open(file, 'r');
  try {
    await flushDirectory(path.dirname(file));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Writes parameters as `+?` instead of `?`, which means the same but keeps the prepared plan. When SQLite
 * plans a join, it looks at the value of a bare `?`, and later discards the plan whenever a value is bound.
 * So a prepared join is parsed and planned again on every run (measured with 3.54: 9 µs instead of 1 µs).
 * SQLite does not look at an operand such as `+?`.
 *
 * So SQLite does not see the value either when it picks a partial index. A query that should use one must
 * write the index's condition with literals.
 */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  /** Leaves out row locks: a SQLite transaction holds the only write lock anyway. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!/^(For|SkipLocked)/.test(node.modifier ?? '')) super.visitSelectModifier(node);
  }
}

/** Outages by the beginning of SQLite's error code; the rest of a code is too detailed. */
const OUTAGES: readonly (readonly [string, Outage])[] = [
  ['SQLITE_BUSY', { message: 'The database is busy. Please try again.', retryAfterSeconds: 5 }],
  ['SQLITE_FULL', { message: 'The disk of the database is full.', retryAfterSeconds: 30 }],
  ['SQLITE_READONLY', { message: 'The disk of the database is read-only.', retryAfterSeconds: 30 }],
  ['SQLITE_IOERR', { message: 'The disk of the database does not work.', retryAfterSeconds: 30 }],
  ['SQLITE_CANTOPEN', { message: 'The file of the database cannot be opened.', retryAfterSeconds: 30 }],
];

function findOutage(error: unknown): Outage | undefined {
  if (!(error instanceof Sqlite.SqliteError)) return undefined;
  return OUTAGES.find(([code]) => error.code.startsWith(code))?.[1];
}
