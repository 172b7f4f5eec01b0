// The login of the command line: the address of a service, and an app password for it.
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { removeSecretFile, writeSecretFile } from '../../client/src/node/files.ts';

interface Login {
  readonly url: string;
  readonly username: string;
  /** An app password (`hda_…`). */
  readonly password: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `login.json` in the folder `holdall` of the user's configuration, readable only by the user. In scripts,
 * `HOLDALL_URL` and `HOLDALL_APP_PASSWORD` together replace it.
 */
export class LoginFile {
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  get path(): string {
    return path.join(this.#folder, 'login.json');
  }

  /** Undefined if there is no login. @throws Error with a sentence for the user if the file is damaged */
  async read(): Promise<Login | undefined> {
    const { HOLDALL_URL: url, HOLDALL_APP_PASSWORD: password } = this.#env;
    if (url && password) return { url: url.replace(/\/+$/, ''), username: '', password };
    try {
      return toLogin(JSON.parse(await readFile(this.path, 'utf8')));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new Error(`${this.path} cannot be read. Log in again.`, { cause: error });
    }
  }

  async write(login: Login): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeSecretFile(this.path, `${JSON.stringify(login, null, 2)}\n`);
  }

  async remove(): Promise<void> {
    await removeSecretFile(this.path);
  }

  /** XDG Base Directory Specification: `$XDG_CONFIG_HOME`, or `.config` in the user's folder. */
  get #folder(): string {
    const base = this.#env.XDG_CONFIG_HOME || path.join(this.#env.HOME || homedir(), '.config');
    return path.join(base, 'holdall');
  }
}

function toLogin(value: unknown): Login {
  if (typeof value !== 'object' || value === null) throw new Error('It is not a JSON object.');
  const { url, username, password } = value as Record<string, unknown>;
  if (typeof url !== 'string' || typeof username !== 'string' || typeof password !== 'string') {
    throw new Error('A member is missing.');
  }
  return { url, username, password };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
