import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { findFreePorts } from '../../../../tools/processes/free-ports.ts';
import { type App, createApp } from '../../../src/app/app.ts';
import { DAY } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createTestDatabase } from '../database/test-database.ts';
import { createTestStorage } from '../storage/test-storage.ts';
import { startExampleNginx } from './behind-nginx.ts';
import { Person } from './person.ts';
import { ServiceProcess } from './service-process.ts';
import { TestClock } from './test-clock.ts';

/** Several Holdall processes on one database and one store, behind one nginx. */
export class Cluster {
  /** The address of nginx, which sends each request to the next instance. */
  readonly url: string;
  readonly #instances: (ServiceProcess | undefined)[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #firstPort: number;

  private constructor(url: string, firstPort: number, env: Readonly<Record<string, string>>) {
    this.url = url;
    this.#firstPort = firstPort;
    this.#env = env;
    this.#instances = [];
  }

  /** Stops with the test file. */
  static async start(count: number, env: Readonly<Record<string, string>> = {}): Promise<Cluster> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'holdall-cluster-'));
    const database = await createTestDatabase();
    const storage = createTestStorage();
    const ports = await findFreePorts(count + 1);
    const nginx = await startExampleNginx({
      port: ports,
      upstreamPorts: Array.from({ length: count }, (_, index) => ports + 1 + index),
      dataDir,
    });
    const cluster = new Cluster(nginx.url, ports + 1, {
      HOLDALL_DATA_DIR: dataDir,
      HOLDALL_DATABASE_URL: database.url ?? '',
      HOLDALL_PUBLIC_URL: nginx.url,
      HOLDALL_TRUST_PROXY: '127.0.0.1,::1',
      HOLDALL_DEV_LOGIN: 'true',
      ...storage.env,
      ...env,
    });
    after(async () => {
      await Promise.all(cluster.#instances.map((instance) => instance?.kill()));
      await storage.drop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    });
    // The first start creates what all instances share.
    for (let index = 0; index < count; index += 1) await cluster.restart(index);
    return cluster;
  }

  /** The addresses of the instances behind nginx. */
  get doors(): readonly string[] {
    return this.#instances.flatMap((instance) => (instance === undefined ? [] : [instance.url]));
  }

  async restart(index: number): Promise<void> {
    const port = String(this.#firstPort + index);
    this.#instances[index] = await ServiceProcess.start({ ...this.#env, HOLDALL_PORT: port });
  }

  async kill(index: number): Promise<void> {
    await this.#instances[index]?.kill();
    this.#instances[index] = undefined;
  }

  /** Logs in through nginx as the user with that name, creating the user if needed. */
  logIn(username: string, client?: string): Promise<Person> {
    return new Person(username, this.url).enter('/api/auth/dev-login', { username, role: 'USER' }, client);
  }

  /** Stops all instances, runs maintenance as if days had passed, and checks the books. */
  async settle(look: (app: App) => Promise<void>): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance?.stop()));
    const clock = new TestClock();
    const app = await createApp(readConfig({ ...this.#env, HOLDALL_LOG_LEVEL: 'fatal' }), { clock });
    try {
      clock.advance(5 * DAY);
      await app.cleanUp();
      await look(app);
    } finally {
      await app.close();
    }
  }
}
