// What a pair remembers from run to run: the tree of the drive up to a cursor, and what was equal on both sides.
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { BaseEntry, RemoteEntry } from './entries.ts';
import { openStateDatabase } from './open-state.ts';
import { PathMap } from './path-map.ts';
import { RemoteTree } from './remote-tree.ts';

/** Between what the sync runs. */
export interface Pair {
  readonly url: string;
  /** Whose drive it is. */
  readonly account: string;
  /** An absolute path without symbolic links. */
  readonly localRoot: string;
  readonly remoteRoot: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** One SQLite database for each pair, in `holdall/sync` of the user's state directory. */
export function findStateFile(env: Environment, { url, account, localRoot, remoteRoot }: Pair): string {
  const base = env.XDG_STATE_HOME || path.join(env.HOME || homedir(), '.local', 'state');
  const key = createHash('sha256').update(JSON.stringify([url, account, localRoot, remoteRoot]));
  return path.join(base, 'holdall', 'sync', `${key.digest('hex').slice(0, 32)}.sqlite`);
}

/**
 * The state of a pair. Everything is in memory; each change is also written to the database, which keeps other
 * programs out as long as it is open. What is written survives the end of the process at any moment.
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

  /** @throws Error with a sentence for the user if another program uses it, or this program cannot read it */
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
    this.base = new PathMap(database.prepare('select * from base').all().map(readBase));
    this.#mountPoints = new Set(
      this.base.keys().filter((each) => this.base.get(each)?.isMountPoint === true),
    );
    this.remote = new RemoteTree(database.prepare('select * from remote').all().map(readRemote), this);
    const position = database.prepare('select cursor, mark from position').get();
    this.#cursor = position === undefined ? undefined : Number(position.cursor);
    const direction = database.prepare('select is_two_way from direction').get();
    this.#wasTwoWay = direction === undefined ? undefined : direction.is_two_way === 1;
    const disk = database.prepare('select mount_path from disk').get();
    this.#mountPath = disk === undefined ? undefined : String(disk.mount_path);
    this.#mark = typeof position?.mark === 'string' ? position.mark : undefined;
  }

  /** Up to where the events of the drive are in `remote`; undefined before it was listed. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  /** Tells the event of the cursor from one of another service; undefined if there was no such event. */
  get mark(): string | undefined {
    return this.#mark;
  }

  setCursor(cursor: number, mark: string | undefined): void {
    this.#cursor = cursor;
    this.#mark = mark;
    if (!this.#isDryRun) this.#statements.setCursor.run(cursor, mark ?? null);
  }

  /** Of the last sync of everything; undefined if there was none. */
  get wasTwoWay(): boolean | undefined {
    return this.#wasTwoWay;
  }

  setDirection(isTwoWay: boolean): void {
    this.#wasTwoWay = isTwoWay;
    if (!this.#isDryRun) this.#statements.setDirection.run(Number(isTwoWay));
  }

  /** Where the disk of the directory on this computer was mounted; undefined if that is not known. */
  get mountPath(): string | undefined {
    return this.#mountPath;
  }

  setMountPath(mountPath: string): void {
    if (mountPath === this.#mountPath) return;
    this.#mountPath = mountPath;
    if (!this.#isDryRun) this.#statements.setMountPath.run(mountPath);
  }

  /** The directories of the base that were on another disk than the one above them. */
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

  /** Both sides have moved the entry, with everything below it. */
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

  /** Writes all changes of the work or none. */
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

type Row = Record<string, unknown>;

function readRemote(row: Row): readonly [string, RemoteEntry] {
  return [String(row.path), toCommon(row)];
}

function readBase(row: Row): readonly [string, BaseEntry] {
  const identity = { device: String(row.device), inode: String(row.inode) };
  const isMountPoint = row.is_mount_point === null ? null : row.is_mount_point === 1;
  const times = { mtimeMs: Number(row.mtime_ms), ctimeMs: Number(row.ctime_ms) };
  const local = { ...identity, ...times, isMountPoint };
  return [String(row.path), { ...toCommon(row), ...local }];
}

function toCommon(row: Row): RemoteEntry {
  return {
    id: Number(row.id),
    isDirectory: row.is_directory === 1,
    size: Number(row.size),
    modifiedAt: String(row.modified_at),
    updatedAt: String(row.updated_at),
    sha256: row.sha256 === null ? null : String(row.sha256),
  };
}
