import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { flushDirectory } from '../../base/bytes/flush-directory.ts';
import type { Ids } from '../../base/ids.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Settings } from '../../settings/settings.ts';
import { findCredentials } from '../queries.ts';
import { verifyPassword } from './passwords.ts';

const FILE_NAME = 'initial-admin-password';
const MARK = 'initial-admin';
const PASSWORD_BITS = 120;

/**
 * The password that the first start generated, in a file that only its owner can read. The file is removed
 * when the password of that account is changed for the first time. The database stores the id of the account,
 * so that a stale file can be recognised.
 */
export class InitialPassword {
  readonly #directory: string;
  readonly #settings: Settings;
  readonly #ids: Ids;

  constructor(directory: string, settings: Settings, ids: Ids) {
    this.#directory = directory;
    this.#settings = settings;
    this.#ids = ids;
  }

  get file(): string {
    return path.join(this.#directory, FILE_NAME);
  }

  /**
   * Generates a password and writes it durably to the file. If the file exists, returns the password in it:
   * several instances may share the directory and start at the same time. The file must be right whichever of
   * them creates the account.
   */
  async generate(): Promise<string> {
    const password = this.#ids.token(PASSWORD_BITS);
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const draft = `${this.file}.${this.#ids.uuid()}`;
    try {
      await writeDurably(draft, `${password}\n`);
      await link(draft, this.file);
      await flushDirectory(this.#directory);
      return password;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      const present = await this.#read();
      if (present) return present;
      await this.remove();
      return this.generate();
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Records the account that has the generated password, in the transaction that creates it. */
  assign(tx: Tx, accountId: number): Promise<void> {
    return this.#settings.putMarker(tx, MARK, String(accountId));
  }

  /** Whether the account still has the password that the first start generated. */
  async isInUse(db: Db, accountId: number): Promise<boolean> {
    return (await this.#settings.findMarker(db, MARK)) === String(accountId);
  }

  /** Must be called in the transaction that changes a password. Returns whether it was the initial one. */
  async retire(tx: Tx, accountId: number): Promise<boolean> {
    if (!(await this.isInUse(tx, accountId))) return false;
    await this.#settings.putMarker(tx, MARK, '');
    return true;
  }

  async remove(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /**
   * Removes a file with a wrong password: from an interrupted start, or if another instance created the
   * account.
   */
  async removeStale(db: Db): Promise<void> {
    const password = await this.#read();
    if (password === undefined) return;
    const accountId = Number(await this.#settings.findMarker(db, MARK));
    const credentials = accountId > 0 ? await findCredentials(db, { id: accountId }) : undefined;
    if (!(await verifyPassword(credentials?.passwordHash ?? null, password, {}))) await this.remove();
  }

  async #read(): Promise<string | undefined> {
    try {
      return (await readFile(this.file, 'utf8')).trim();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
