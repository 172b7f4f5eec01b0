import { randomInt } from 'node:crypto';
import { after } from 'node:test';
import { waitFor } from '../tasks/tasks.ts';
import type { Holdall } from './holdall.ts';
import { Person } from './person.ts';
import { ServiceProcess } from './service-process.ts';

/** Holdall processes that share the database and store of the test's own Holdall, and that the test kills. */
export class Instances {
  readonly count: number;
  readonly #running: (ServiceProcess | undefined)[] = [];
  readonly #env: Readonly<Record<string, string>>;
  #startMs = 0;
  #isOver = false;

  private constructor(count: number, env: Readonly<Record<string, string>>) {
    this.count = count;
    this.#env = env;
  }

  /** Starts instances that stop with the test file. */
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
    const end = async () => {
      instances.#isOver = true;
      await Promise.all(instances.#running.map((instance) => instance?.kill()));
    };
    after(end);
    beside.endBeforeRemoval(end);
    await Promise.all(Array.from({ length: count }, (_, index) => instances.#start(index)));
    return instances;
  }

  /** The duration of the last start. Random delays scale with it, to fit slow and fast machines. */
  get startMs(): number {
    return this.#startMs;
  }

  /** Resolves when the instance serves again. */
  async killAndRestart(index: number): Promise<void> {
    const dying = this.#running[index];
    this.#running[index] = undefined;
    await dying?.kill();
    await this.#start(index);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map((instance) => instance?.stop()));
  }

  /** Waits for a serving instance, and returns the person connected to it. */
  async admit(person: Person): Promise<Person> {
    const doors = await waitFor(
      () => this.#running.flatMap((instance) => (instance === undefined ? [] : [instance.url])),
      ({ length }) => length > 0,
      'an instance that serves',
    );
    return new Person(person.username, doors[randomInt(doors.length)] ?? '').with(person.login);
  }

  async #start(index: number): Promise<void> {
    const before = performance.now();
    const started = await ServiceProcess.start(this.#env);
    this.#startMs = performance.now() - before;
    // The test may have failed and ended meanwhile.
    if (this.#isOver) await started.kill();
    else this.#running[index] = started;
  }
}
