import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import type { Random } from '../../../../../tools/fuzz/requests/random.ts';
import { PowerLossDisk } from './power-loss-disk.ts';

/**
 * Simulates a power cut on the data directory of a service on SQLite and local disk. {@link PowerLossDisk}
 * records the objects. Only the part of the database's log that `fdatasync` has flushed is sure to survive.
 * The database file survives unchanged, because SQLite writes to it only after flushing the log itself.
 */
export class PowerLossData {
  readonly #directory: string;
  readonly #database: string;
  readonly #log: string;
  readonly #objects: PowerLossDisk;
  #flushedLog: Buffer;
  /** Changes when SQLite copies the log to the database file. */
  #databaseVersion: string;

  private constructor(directory: string, database: string) {
    this.#directory = directory;
    this.#database = database;
    this.#log = `${database}-wal`;
    this.#flushedLog = fs.readFileSync(this.#log);
    this.#databaseVersion = this.#findDatabaseVersion();
    this.#objects = new PowerLossDisk(path.join(directory, 'objects'));
  }

  /** Records a directory of a running service. Its current content counts as flushed. */
  static async record(directory: string): Promise<PowerLossData> {
    const [log] = fs.readdirSync(directory).filter((name) => name.endsWith('-wal'));
    if (log === undefined) throw new Error(`There is no SQLite database in ${directory}.`);
    const data = new PowerLossData(directory, path.join(directory, log.slice(0, -'-wal'.length)));
    const handle = await open(data.#log, 'r');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    data.#observe(prototype);
    return data;
  }

  stop(): void {
    this.#objects.stop();
  }

  /**
   * Writes the directory that a power cut would leave now into `target`, synchronously. Without `random`,
   * only flushed data is left.
   */
  cut(target: string, random?: Random): void {
    this.#objects.cut(path.join(target, 'objects'), random);
    for (const entry of fs.readdirSync(this.#directory, { withFileTypes: true })) {
      const isOfDatabase = path.join(this.#directory, entry.name).startsWith(this.#database);
      if (!entry.isFile() || isOfDatabase) continue;
      fs.copyFileSync(path.join(this.#directory, entry.name), path.join(target, entry.name));
    }
    const database = path.join(target, path.basename(this.#database));
    fs.copyFileSync(this.#database, database);
    fs.writeFileSync(`${database}-wal`, this.#logAfterCut(random));
  }

  #logAfterCut(random?: Random): Buffer {
    const log = fs.readFileSync(this.#log);
    // SQLite has flushed the log itself, or has started a new log.
    if (this.#databaseVersion !== this.#findDatabaseVersion()) return log;
    const flushed = this.#flushedLog.length;
    const kept = flushed + (random?.below(log.length - flushed + 1) ?? 0);
    return Buffer.concat([this.#flushedLog, log.subarray(flushed, kept)]);
  }

  #observe(prototype: FileHandle): void {
    const { datasync } = prototype;
    const onFlush = async (handle: FileHandle) => {
      if (fs.readlinkSync(`/proc/self/fd/${handle.fd}`) !== this.#log) return datasync.call(handle);
      // A flush covers all bytes that were written before it began.
      const log = fs.readFileSync(this.#log);
      const version = this.#findDatabaseVersion();
      await datasync.call(handle);
      this.#flushedLog = log;
      this.#databaseVersion = version;
    };
    mock.method(prototype, 'datasync', function (this: FileHandle) {
      return onFlush(this);
    });
  }

  #findDatabaseVersion(): string {
    const { mtimeNs, size } = fs.statSync(this.#database, { bigint: true });
    return `${mtimeNs} ${size}`;
  }
}
