// Remembers interrupted uploads, so that the next run of `put` continues them.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** The service keeps unfinished uploads for a day. */
const KEPT_MS = 24 * 60 * 60 * 1_000;

/** An upload is continued only if all of these are the same. */
export interface UploadKey {
  readonly url: string;
  /** The shared drive; undefined for the personal one. */
  readonly driveId: number | undefined;
  readonly localPath: string;
  /** Changes whenever the content changes, even if size and modification time stay the same. */
  readonly localState: string;
  readonly remotePath: string;
}

/**
 * One small file for each upload, in `$XDG_STATE_HOME/holdall/uploads` or `~/.local/state/holdall/uploads`.
 */
export class UnfinishedUploads {
  readonly #folder: string;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const base = env.XDG_STATE_HOME || path.join(env.HOME || homedir(), '.local', 'state');
    this.#folder = path.join(base, 'holdall', 'uploads');
  }

  /** The resume token of an upload; undefined if there is none. */
  async find(key: UploadKey): Promise<string | undefined> {
    return await readFile(this.#fileOf(key), 'utf8').catch(() => undefined);
  }

  async add(key: UploadKey, token: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Written atomically, even if the power fails.
    const temporary = path.join(this.#folder, randomUUID());
    await writeFile(temporary, token, { mode: 0o600, flush: true });
    await rename(temporary, this.#fileOf(key));
  }

  async remove(key: UploadKey): Promise<void> {
    await rm(this.#fileOf(key), { force: true });
  }

  /** Deletes the tokens of uploads that the service no longer has. */
  async deleteExpired(now: number): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = path.join(this.#folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found !== undefined && now - found.mtimeMs > KEPT_MS) await rm(file, { force: true });
    }
  }

  #fileOf({ url, driveId, localPath, localState, remotePath }: UploadKey): string {
    const drive = driveId === undefined ? [] : [driveId];
    const text = JSON.stringify([url, localPath, localState, remotePath, ...drive]);
    return path.join(this.#folder, createHash('sha256').update(text).digest('hex'));
  }
}
