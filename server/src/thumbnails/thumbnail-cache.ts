import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { type Clock, HOUR, type Instant } from '../base/clock.ts';
import { mapConcurrently } from '../base/concurrency/map-concurrently.ts';
import { Semaphore } from '../base/concurrency/semaphore.ts';
import type { Ids } from '../base/ids.ts';

/*
 * The cache is a tree of files in a directory that may be deleted at any moment, with everything in it. Each
 * file begins with a digest of its name and content, so foreign files and files cut off by a crash are not
 * served.
 *
 * The time of each file is when it was last used. Nothing is kept in memory, so instances may share the
 * directory: each lists all files whenever it has written a sixteenth of the limit.
 */

/** A file name is a SHA-256 in base64url, without its first two characters, which name the folder. */
const NAME = /^[\w-]{41}$/;
const TEMPORARY = /^[\w-]{41}\.[\w-]+\.tmp$/;
const FOLDER = /^[\w-]{2}$/;
const DIGEST_BYTES = 32;

/** One part in this many of the limit may be written before all files are listed again. */
const LIMIT_PARTS = 16;

/** The time of a file is updated at most this often, even if it is used more often. */
const TOUCH_MS = HOUR;

/** A temporary file older than this is no longer being written. */
const ABANDONED_MS = HOUR;

const CONCURRENCY = 4;

interface CachedFile {
  readonly path: string;
  readonly size: number;
  readonly usedAt: Instant;
}

interface ThumbnailCacheParts {
  readonly directory: string;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Stores bytes by key, up to a total size. The least recently used are removed first. */
export class ThumbnailCache {
  readonly #parts: ThumbnailCacheParts;
  /** The number of bytes that may be written before all files are listed again. */
  #allowance = 0;
  /** Allows one write at a time, so that files being written count towards the limit. */
  readonly #writing = new Semaphore(1);

  constructor(parts: ThumbnailCacheParts) {
    this.#parts = parts;
  }

  /** Returns undefined if the bytes are missing, or differ from those that were written. */
  async find(key: string): Promise<Buffer | undefined> {
    const { file, name } = this.#placeOf(key);
    const handle = await fs.open(file, 'r').catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      const [content, { mtimeMs }] = await Promise.all([handle.readFile(), handle.stat()]);
      const bytes = content.subarray(DIGEST_BYTES);
      if (!digestOf(name, bytes).equals(content.subarray(0, DIGEST_BYTES))) return undefined;
      const now = this.#parts.clock.now();
      if (now - mtimeMs > TOUCH_MS) await handle.utimes(new Date(now), new Date(now));
      return bytes;
    } catch {
      return undefined;
    } finally {
      await handle.close();
    }
  }

  /** @throws an error of the disk; at most a temporary file is left behind then */
  async put(key: string, bytes: Buffer): Promise<void> {
    const size = bytes.length + DIGEST_BYTES;
    if (size > this.#parts.maxBytes) return;
    await this.#writing.run(async () => {
      if (this.#allowance < size) await this.#trim(size);
      this.#allowance -= size;
      await this.#write(key, bytes);
    });
  }

  async #write(key: string, bytes: Buffer): Promise<void> {
    const { folder, file, name } = this.#placeOf(key);
    const temporary = `${file}.${this.#parts.ids.uuid()}.tmp`;
    const content = Buffer.concat([digestOf(name, bytes), bytes]);
    const write = () => fs.writeFile(temporary, content, { mode: 0o640 });
    try {
      await write().catch(async () => {
        await fs.mkdir(folder, { recursive: true, mode: 0o750 });
        await write();
      });
      const now = new Date(this.#parts.clock.now());
      await fs.utimes(temporary, now, now);
      await fs.rename(temporary, file);
    } catch (error) {
      await fs.rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  #placeOf(key: string) {
    const name = createHash('sha256').update(key).digest('base64url');
    const folder = path.join(this.#parts.directory, name.slice(0, 2));
    return { name, folder, file: path.join(folder, name.slice(2)) };
  }

  /**
   * Removes the least recently used files until there is room for a share of the limit, and at least for
   * `size` bytes.
   */
  async #trim(size: number): Promise<void> {
    const room = Math.max(Math.floor(this.#parts.maxBytes / LIMIT_PARTS), size);
    const files = await this.#list();
    let total = files.reduce((sum, file) => sum + file.size, 0);
    const oldestFirst = files.toSorted((a, b) => a.usedAt - b.usedAt);
    for (const file of oldestFirst) {
      if (total <= this.#parts.maxBytes - room) break;
      await fs.rm(file.path, { force: true });
      total -= file.size;
    }
    this.#allowance = room;
  }

  async #list(): Promise<readonly CachedFile[]> {
    const folders = (await namesIn(this.#parts.directory)).filter((name) => FOLDER.test(name));
    const files = await mapConcurrently(folders, CONCURRENCY, (folder) => this.#listFolder(folder));
    return files.flat();
  }

  /** Removes the leftovers of crashed writers. Foreign files are not touched and do not count. */
  async #listFolder(folder: string): Promise<readonly CachedFile[]> {
    const found: CachedFile[] = [];
    for (const name of await namesIn(path.join(this.#parts.directory, folder))) {
      if (!NAME.test(name) && !TEMPORARY.test(name)) continue;
      const file = path.join(this.#parts.directory, folder, name);
      const stats = await fs.lstat(file).catch(() => undefined);
      if (stats?.isFile() !== true) continue;
      const usedAt = stats.mtimeMs;
      if (NAME.test(name)) found.push({ path: file, size: stats.size, usedAt });
      else if (this.#parts.clock.now() - usedAt > ABANDONED_MS) await fs.rm(file, { force: true });
    }
    return found;
  }
}

/** Covers the name as well as the content, so that a renamed file is not served under its new name. */
function digestOf(name: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(bytes).digest();
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return await fs.readdir(directory).catch(() => []);
}
