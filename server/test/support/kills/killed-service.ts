import pg from 'pg';
import { Database } from '../../../src/database/database.ts';
import { ServiceProcess, type StandbyProcess } from '../app/service-process.ts';
import { openEngine } from '../database/open-database.ts';
import { waitFor } from '../tasks/tasks.ts';

/** Holdall as a program that is killed and restarted repeatedly. */
export class KilledService {
  readonly #env: Readonly<Record<string, string>>;
  readonly #databaseUrl: string | undefined;
  #running: ServiceProcess;
  #next: StandbyProcess;
  #isOver = false;

  private constructor(
    env: Readonly<Record<string, string>>,
    databaseUrl: string | undefined,
    running: ServiceProcess,
  ) {
    this.#env = env;
    this.#databaseUrl = databaseUrl;
    this.#running = running;
    this.#next = ServiceProcess.standBy(env);
  }

  static async start(
    env: Readonly<Record<string, string>>,
    databaseUrl: string | undefined,
  ): Promise<KilledService> {
    return new KilledService(env, databaseUrl, await ServiceProcess.start(env));
  }

  /** Changes with every start. */
  get url(): string {
    return this.#running.url;
  }

  /** Resolves when the process has ended, and PostgreSQL has finished its statements. */
  async kill(): Promise<void> {
    await this.#running.kill();
    if (this.#databaseUrl !== undefined) await waitForDisconnection(this.#databaseUrl);
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    // Node does not stop a test that timed out, so this error ends it.
    if (this.#isOver) throw new Error('The test is over.');
    this.#running = await this.#next.start();
    if (this.#isOver) await this.#running.kill();
    else this.#next = ServiceProcess.standBy(this.#env);
  }

  /** Kills the process for the last time. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all([this.#running.kill(), this.#next.kill()]);
  }
}

/**
 * Expires the upload locks that a killed process has left, as time would. Otherwise every round would wait
 * for them.
 */
export async function expireLocks(databaseUrl: string | undefined, directory: string): Promise<void> {
  const database = new Database(openEngine(databaseUrl, directory));
  try {
    await database.transact(async (tx) => {
      await tx
        .updateTable('upload_session')
        .set({ writer_until: 0 })
        .where('writer', 'is not', null)
        .execute();
      await tx.updateTable('lease').set({ expires_at: 0 }).where('name', 'like', 'complete %').execute();
    });
  } finally {
    await database.close();
  }
}

/** A statement that arrived before the process was killed may still run, and may still commit. */
async function waitForDisconnection(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const countOthers = async () => {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      return rows[0]?.count;
    };
    await waitFor(countOthers, (count) => count === 0, 'the end of all database connections');
  } finally {
    await client.end();
  }
}
