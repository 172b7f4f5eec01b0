import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenStore, Tokens } from '../login/token-store.ts';
import { removeSecretFile, writeSecretFile } from './secret-file.ts';

/**
 * A renewal takes a fraction of this time, so an older lock was left by a killed program. Only the age can
 * decide, because programs on other computers and in other containers may share the file and cannot be seen.
 */
const STALE_MS = 30_000;
const POLL_MS = 50;

/** Stores a login in a file that only its owner can read. Several programs may share it. */
export class FileTokenStore implements TokenStore {
  readonly #file: string;

  /** @param file its directory is created if it is missing */
  constructor(file: string) {
    this.#file = file;
  }

  async load(): Promise<Tokens | undefined> {
    try {
      // Written by `save`, below.
      return JSON.parse(await readFile(this.#file, 'utf8')) as Tokens;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async save(tokens: Tokens | undefined): Promise<void> {
    if (tokens === undefined) return await removeSecretFile(this.#file);
    await mkdir(path.dirname(this.#file), { recursive: true });
    await writeSecretFile(this.#file, JSON.stringify(tokens));
  }

  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const lock = `${this.#file}.lock`;
    await mkdir(path.dirname(lock), { recursive: true });
    while (!(await acquire(lock))) await sleep(POLL_MS);
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }
}

async function acquire(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    // Two programs may do this at the same time. As a refresh token works only once, the second one then
    // finds the tokens of the first.
    if (age > STALE_MS) await rm(lock, { force: true });
    return false;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
