import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { Database } from '../../../src/database/database.ts';
import { Person } from '../app/person.ts';
import { openEngine } from '../database/open-database.ts';

const PROGRAM = path.join(import.meta.dirname, 'measured-program.ts');

/**
 * Holdall on SQLite, in a process whose event loop is measured. In the process of a test, the client would
 * share the event loop. The test runner also observes every promise there, and collecting those of a large
 * download takes tens of milliseconds.
 */
export class MeasuredService {
  /** The service's database, for setup that would take too long over HTTP. */
  readonly database: Database;
  readonly #url: string;
  readonly #child: ChildProcess;

  private constructor(parts: { url: string; child: ChildProcess; database: Database }) {
    this.#url = parts.url;
    this.#child = parts.child;
    this.database = parts.database;
  }

  /** Stops with the test file. */
  static async start(): Promise<MeasuredService> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-stalls-'));
    const child = fork(PROGRAM, {
      // Does not inherit the options of the test runner.
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        HOLDALL_PORT: '0',
        HOLDALL_DATA_DIR: dataDir,
        HOLDALL_DEV_LOGIN: 'true',
        HOLDALL_RATE_LIMITS: 'off',
        HOLDALL_LOG_LEVEL: 'fatal',
      },
    });
    const exit = once(child, 'exit');
    const [url] = await Promise.race([once(child, 'message'), exit]);
    if (typeof url !== 'string') throw new Error('The service did not start.');
    const database = new Database(openEngine(undefined, dataDir));
    after(async () => {
      await database.close();
      child.kill();
      await exit;
      await rm(dataDir, { recursive: true, force: true });
    });
    return new MeasuredService({ url, child, database });
  }

  /** Logs in as the user with that name, creating the user if needed. */
  logIn(username: string, role: 'USER' | 'ADMIN' = 'USER'): Promise<Person> {
    return new Person(username, this.#url).enter('/api/auth/dev-login', { username, role });
  }

  /** The longest block of the service's event loop while `act` runs, in milliseconds. */
  async measureBlock(act: () => Promise<unknown>): Promise<number> {
    await this.#ask('start');
    await act();
    return await this.#ask('stop');
  }

  async #ask(what: 'start' | 'stop'): Promise<number> {
    const answer = once(this.#child, 'message');
    this.#child.send(what);
    const [milliseconds] = await answer;
    return Number(milliseconds);
  }
}
