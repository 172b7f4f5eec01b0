import { randomInt } from 'node:crypto';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holdall } from './holdall.ts';
import type { Person } from './person.ts';
import { atEveryDoor } from './race.ts';
import { ServiceProcess } from './service-process.ts';

/** Programs that serve beside a Holdall of the test, on its database and its store, and are killed. */
export class Instances {
  readonly count: number;
  readonly #running: (ServiceProcess | undefined)[] = [];
  readonly #env: Readonly<Record<string, string>>;
  #startMs = 0;

  private constructor(count: number, env: Readonly<Record<string, string>>) {
    this.count = count;
    this.#env = env;
  }

  /** They end with the test file. */
  static async start(
    count: number,
    beside: Holdall,
    env: Readonly<Record<string, string>>,
  ): Promise<Instances> {
    const instances = new Instances(count, {
      HOLDALL_DATA_DIR: beside.dataDir,
      ...(beside.databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: beside.databaseUrl }),
      ...beside.storage.env,
      ...env,
    });
    after(() => Promise.all(instances.#running.map((instance) => instance?.kill())));
    await Promise.all(Array.from({ length: count }, (_, index) => instances.#start(index)));
    return instances;
  }

  /** How long the last one took to start: what is random in time goes by it, on slow machines and fast ones. */
  get startMs(): number {
    return this.#startMs;
  }

  /** Resolves when it serves again. */
  async killAndRestart(index: number): Promise<void> {
    const dying = this.#running[index];
    this.#running[index] = undefined;
    await dying?.kill();
    await this.#start(index);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((instance) => instance?.stop()));
  }

  /** The person at the door of one that serves, as soon as there is one. */
  async admit(person: Person): Promise<Person> {
    for (;;) {
      const urls = this.#running.flatMap((instance) => (instance === undefined ? [] : [instance.url]));
      const there = urls.length === 0 ? undefined : atEveryDoor(person, urls)[randomInt(urls.length)];
      if (there !== undefined) return there;
      await sleep(10);
    }
  }

  async #start(index: number): Promise<void> {
    const before = performance.now();
    this.#running[index] = await ServiceProcess.start(this.#env);
    this.#startMs = performance.now() - before;
  }
}
