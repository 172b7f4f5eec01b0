// The state that a pair stores between runs: the tree of the drive up to a cursor, and the entries that were
// equal on both sides.
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { BaseEntry, RemoteEntry } from '../rules/entries.ts';
import { PathMap } from '../rules/path-map.ts';
import { openStateDatabase } from './open-state.ts';
import { RemoteTree } from './remote-tree.ts';

/** The two sides of the sync. */
interface Pair {
  readonly url: string;
  /** Who syncs. */
  readonly account: string;
  /** The shared drive; undefined for the personal one. */
  readonly driveId: number | undefined;
  /** An absolute path without symbolic links. */
  readonly localRoot: string;
  readonly remoteRoot: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** One SQLite database for each pair, in `holdall/sync` of the user's state directory. */
export function findStateFile(
  env: Environment,
  { url, account, driveId, localRoot, remoteRoot }: Pair,
): string {
  const base = env.XDG_STATE_HOME || path.join(env.HOME || homedir(), '.local', 'state');
  // Not the name of the drive, so that the pair outlives a rename.
  const drive = driveId === undefined ? [] : [driveId];
  const key = createHash('sha256').update(JSON.stringify([url, account, localRoot, remoteRoot, ...drive]));
  return path.join(base, 'holdall', 'sync', `${key.digest('hex').slice(0, 32)}.sqlite`);
}

/**
 * The state of a pair. Everything is in memory; each change is also written to the database, which keeps
 * other programs out as long as it is open. Written changes survive the end of the process at any moment.
 */
export class SyncState {
  readonly base: PathMap<BaseEntry>;
  readonly remote: RemoteTree;
  readonly #database: DatabaseSync;
  readonly #isDryRun: boolean;
  readonly #statements;
  #cursor: number | undefined;
  #mark: string | undefined;
  #wasTwoWay: boolean | undefined;
  #mountPath: string | undefined;
  readonly #mountPoints: Set<string>;

  /**
   * @throws Error with a sentence for the user if another program uses it, or if this program cannot read it
   */
  static async open(file: string, { isDryRun }: { readonly isDryRun: boolean }): Promise<SyncState> {
    return await openStateDatabase(file, (database) => new SyncState(database, isDryRun));
  }

  private constructor(database: DatabaseSync, isDryRun: boolean) {
    this.#database = database;
    this.#isDryRun = isDryRun;
    this.#statements = {
      setRemote: database.prepare('insert or replace into remote values (?, ?, ?, ?, ?, ?, ?)'),
      deleteRemote: database.prepare('delete from remote where path = ?'),
      setBase: database.prepare('insert or replace into base values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
      deleteBase: database.prepare('delete from base where path = ?'),
      setDirection: database.prepare('insert or replace into direction values (1, ?)'),
      setMountPath: database.prepare('insert or replace into disk values (1, ?)'),
      setCursor: database.prepare('insert or replace into position values (1, ?, ?)'),
    };
    this.base = new PathMap(readRows(database, BASE_COLUMNS, 'base').map(readBase));
    const mountPoints = database.prepare('select path from base where is_mount_point = 1').all();
    this.#mountPoints = new Set(mountPoints.map((row) => String(row.path)));
    this.remote = new RemoteTree(readRows(database, REMOTE_COLUMNS, 'remote').map(readRemote), this);
    const position = database.prepare('select cursor, mark from position').get();
    this.#cursor = position === undefined ? undefined : Number(position.cursor);
    const direction = database.prepare('select is_two_way from direction').get();
    this.#wasTwoWay = direction === undefined ? undefined : direction.is_two_way === 1;
    const disk = database.prepare('select mount_path from disk').get();
    this.#mountPath = disk === undefined ? undefined : String(disk.mount_path);
    this.#mark = typeof position?.mark === 'string' ? position.mark : undefined;
  }

  /** The cursor up to which `remote` contains the events of the drive; undefined before the first listing. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  /**
   * Distinguishes the event of the cursor from an event of another service; undefined if there was no such
   * event.
   */
  get mark(): string | undefined {
    return this.#mark;
  }

  setCursor(cursor: number, mark: string | undefined): void {
    this.#cursor = cursor;
    this.#mark = mark;
    if (!this.#isDryRun) this.#statements.setCursor.run(cursor, mark ?? null);
  }

  /** Whether the last complete sync was two-way; undefined if there was none. */
  get wasTwoWay(): boolean | undefined {
    return this.#wasTwoWay;
  }

  setDirection(isTwoWay: boolean): void {
    this.#wasTwoWay = isTwoWay;
    if (!this.#isDryRun) this.#statements.setDirection.run(Number(isTwoWay));
  }

  /** Where the disk of the local directory was mounted; undefined if unknown. */
  get mountPath(): string | undefined {
    return this.#mountPath;
  }

  setMountPath(mountPath: string): void {
    if (mountPath === this.#mountPath) return;
    this.#mountPath = mountPath;
    if (!this.#isDryRun) this.#statements.setMountPath.run(mountPath);
  }

  /** The directories of the base that were on another disk than their parent. */
  get mountPoints(): ReadonlySet<string> {
    return this.#mountPoints;
  }

  setBase(entryPath: string, entry: BaseEntry): void {
    this.base.set(entryPath, entry);
    if (entry.isMountPoint === true) this.#mountPoints.add(entryPath);
    else this.#mountPoints.delete(entryPath);
    if (this.#isDryRun) return;
    const { id, isDirectory, size, modifiedAt, updatedAt, sha256, mtimeMs, ctimeMs, device, inode } = entry;
    const isMountPoint = entry.isMountPoint === null ? null : Number(entry.isMountPoint);
    this.#statements.setBase.run(
      ...[entryPath, id, Number(isDirectory), size, modifiedAt, updatedAt, sha256],
      ...[mtimeMs, ctimeMs, device, inode, isMountPoint],
    );
  }

  deleteBase(entryPath: string): void {
    this.#mountPoints.delete(entryPath);
    if (!this.base.delete(entryPath) || this.#isDryRun) return;
    this.#statements.deleteBase.run(entryPath);
  }

  deleteBaseTree(entryPath: string): void {
    for (const deleted of [entryPath, ...this.base.listBelow(entryPath)]) this.deleteBase(deleted);
  }

  /** Records that the entry was moved on both sides, with everything below it. */
  moveBase(from: string, to: string): void {
    for (const [before, after] of this.base.moveTree(from, to)) {
      this.#mountPoints.delete(before);
      const entry = this.base.get(after);
      if (!this.#isDryRun) this.#statements.deleteBase.run(before);
      if (entry !== undefined) this.setBase(after, entry);
    }
  }

  setRemote(entryPath: string, entry: RemoteEntry): void {
    if (this.#isDryRun) return;
    const { id, isDirectory, size, modifiedAt, updatedAt, sha256 } = entry;
    this.#statements.setRemote.run(entryPath, id, Number(isDirectory), size, modifiedAt, updatedAt, sha256);
  }

  deleteRemote(entryPath: string): void {
    if (!this.#isDryRun) this.#statements.deleteRemote.run(entryPath);
  }

  /** Runs the work in a transaction: either all of its changes are written or none. */
  transact(work: () => void): void {
    this.#database.exec('begin');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

const REMOTE_COLUMNS = ['path', 'id', 'is_directory', 'size', 'modified_at', 'updated_at', 'sha256'] as const;
const BASE_COLUMNS = [
  ...REMOTE_COLUMNS,
  ...(['mtime_ms', 'ctime_ms', 'device', 'inode', 'is_mount_point'] as const),
];

/** The values, in the order of the columns. */
type Row = readonly SQLOutputValue[];

/** All rows of a table, as arrays: they take half the time of objects, and there may be 100,000 rows. */
function readRows(database: DatabaseSync, columns: readonly string[], table: string): readonly Row[] {
  const statement = database.prepare(`select ${columns.join(', ')} from ${table}`);
  statement.setReturnArrays(true);
  return statement.all() as unknown as readonly Row[];
}

function readRemote(row: Row): readonly [string, RemoteEntry] {
  const [path, id, isDirectory, size, modifiedAt, updatedAt, sha256] = row;
  const entry = {
    id: Number(id),
    isDirectory: isDirectory === 1,
    size: Number(size),
    modifiedAt: String(modifiedAt),
    updatedAt: String(updatedAt),
    sha256: sha256 === null ? null : String(sha256),
  };
  return [String(path), entry];
}

function readBase(row: Row): readonly [string, BaseEntry] {
  const [path, remote] = readRemote(row);
  const [mtimeMs, ctimeMs, device, inode, isMountPoint] = row.slice(REMOTE_COLUMNS.length);
  const entry = {
    ...remote,
    mtimeMs: Number(mtimeMs),
    ctimeMs: Number(ctimeMs),
    device: String(device),
    inode: String(inode),
    isMountPoint: isMountPoint === null ? null : isMountPoint === 1,
  };
  return [path, entry];
}
