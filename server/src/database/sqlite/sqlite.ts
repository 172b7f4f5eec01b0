import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { type Dialect, SqliteAdapter, SqliteIntrospector } from 'kysely';
import { flushDirectory } from '../../base/bytes/flush-directory.ts';
import { SharedFlush } from '../../base/concurrency/shared-flush.ts';
import { Failure } from '../../base/failure.ts';
import { createDurableDirectory } from '../durable-directory.ts';
import type { Engine } from '../engine.ts';
import { SqliteCompiler } from './compiler.ts';
import { SqliteDriver } from './driver.ts';
import { sqliteNameIndex } from './name-index.ts';

/**
 * SQLite in one file of the data directory.
 *
 * Durability. In WAL mode with `synchronous=NORMAL` a commit is written to the write-ahead log but not flushed;
 * `flush()` then flushes the log once for everybody who committed meanwhile, on a thread of the pool. A
 * commit is one run of log frames with checksums: after a power cut SQLite takes the log up to its last whole
 * commit. So what was flushed is there, and nothing is there by half. Checkpoints do not weaken this: SQLite
 * flushes the log before it copies pages from it, and the database file before it starts the log anew.
 * With `synchronous=FULL` the same flush would happen inside the commit, once for each, on the event loop.
 *
 * Several programs may have it open, the service and the command line: SQLite's locks keep their transactions apart (one
 * waits for the other, five seconds at most), each flushes what it has committed, and a checkpoint of either flushes the
 * log first. They have to be on one machine, since they share memory.
 */
export function openSqlite(file: string): Engine {
  createDurableDirectory(path.dirname(file));
  makePrivateFile(file);
  const connection = new Sqlite(file, { timeout: 5_000 });
  for (const setting of [
    'journal_mode = wal',
    'synchronous = normal',
    'foreign_keys = on',
    'cache_size = -16000',
    'temp_store = memory',
  ]) {
    connection.pragma(setting);
  }
  const log = new WriteAheadLog(`${file}-wal`);
  const driver = new SqliteDriver(connection, () => log.close());
  return {
    name: 'sqlite',
    dialect: toDialect(driver),
    columnTypes: { id: 'integer primary key autoincrement', integer: 'integer', text: 'text' },
    nameIndex: sqliteNameIndex,
    notificationChannel: undefined,
    flush: () => log.flush(),
    migrationLock: undefined,
    integrityQuery: 'select integrity_check as message from pragma_integrity_check',
    isRetryable: () => false,
    isUnavailable: (error) =>
      error instanceof Sqlite.SqliteError && /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY)/.test(error.code),
  };
}

/**
 * SQLite would let everybody read it, and gives the log and the index beside it the mode that the file has. One that is
 * there is not opened: closing it would let go of the locks that another connection of this program has on it.
 */
function makePrivateFile(file: string): void {
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
 * Our driver lets its callers queue by itself. Told of one connection only, Kysely would put a queue of its own before
 * it, and a query on the root handle inside a transaction would wait there for ever instead of being refused.
 */
class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * The log file, opened beside SQLite only to be flushed. SQLite holds its locks on the other two files, so
 * closing this descriptor takes none of them away; and it keeps the file as long as its connection is open.
 */
class WriteAheadLog {
  readonly #path: string;
  readonly #flush = new SharedFlush(() => this.#flushNow());
  #handle: FileHandle | undefined;
  #lost: Failure | undefined;

  constructor(file: string) {
    this.#path = file;
  }

  flush(): Promise<void> {
    return this.#flush.wait();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #flushNow(): Promise<void> {
    this.#handle ??= await openDurably(this.#path);
    // The system tells of lost pages once and calls the next flush a success. What would be committed behind them could
    // not be read after a power cut, so nothing is acknowledged any more until the program starts anew.
    if (this.#lost !== undefined) throw this.#lost;
    try {
      await this.#handle.datasync();
    } catch (error) {
      this.#lost = new Failure('unavailable', 'The database cannot be written.', {
        retryAfterSeconds: 60,
        cause: error,
      });
      throw this.#lost;
    }
  }
}

/** Gives the file once its name is durable; until then the next flush has to see to that again. */
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
