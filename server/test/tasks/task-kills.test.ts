// tier: full
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../../tools/testing/tiers.ts';
import { DAY, SECOND } from '../../src/base/clock.ts';
import type { TaskStatus } from '../../src/base/domain/tasks.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Instances } from '../support/app/instances.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { addPolicy, assertNothingLeft } from '../support/migration/migration.ts';
import { MigrationLoad } from '../support/migration/migration-load.ts';
import { TaskLoad, updateStatus } from '../support/tasks/task-load.ts';
import { checkHome } from '../support/tasks/task-works.ts';
import { getTask, waitFor } from '../support/tasks/tasks.ts';

// Instances that run tasks of all types are killed at random moments and restarted at once.

const KILLS = Number(process.env.HOLDALL_TEST_KILLS ?? (isLong ? 50 : 4));
const LIMIT = { timeout: 100 * SECOND + KILLS * 15 * SECOND };

const MAX_KILL_DELAY_MS = 80;

/** Runs no tasks. It queues migrations directly and checks what is left. */
const observer = await startHoldall({
  env: { HOLDALL_WORKER_CONCURRENCY: '0', HOLDALL_ACCESS_TOKEN_TTL: '10d', HOLDALL_RATE_LIMITS: 'off' },
});
const source = (await observer.app.policies.getDefault()).id;
const target = await addPolicy(observer);
const { db } = observer.app.database;

test('tasks end with all of their output or none, even if instances are killed', LIMIT, async (t) => {
  const instances = await Instances.start(isPostgres ? 2 : 1, observer, {
    HOLDALL_RATE_LIMITS: 'off',
    HOLDALL_TASK_LEASE: '2s',
    HOLDALL_TASK_BACKOFF_SCALE: '0.01',
    // Clean-ups also run if the test is configured to run for minutes.
    HOLDALL_CLEANUP_INTERVAL: '5s',
    HOLDALL_SWEEP_GRACE: '2m',
    HOLDALL_DOWNLOAD_URL_TTL: '2m',
  });
  const people = [await observer.register('ann'), await observer.register('ben')];
  const loads: TaskLoad[] = [];
  for (const person of people) loads.push(await TaskLoad.open(person, instances));
  const migrations = await MigrationLoad.open(observer, people[0] ?? assert.fail(), [source, target]);

  const workers = [...loads, migrations];
  const killer = new Killer(instances);
  const working = Promise.all(workers.map((worker) => worker.work()));
  try {
    await Promise.race([working, killer.killRepeatedly()]);
  } finally {
    killer.rest();
    for (const worker of workers) worker.rest();
  }
  await working;
  await waitFor(countLive, (count) => count === 0, 'the end of all tasks');

  for (const [index, person] of people.entries()) await checkWorks(person, loads[index]?.works ?? []);
  await checkFailures();
  await migrations.check();
  t.diagnostic(JSON.stringify(await countEnds()));

  await instances.stop();
  observer.clock.advance(5 * DAY);
  await observer.app.cleanUp();
  await assertNothingLeft(observer);
  await checkBooks(observer);
  const leftovers = (await observer.storage.list(observer.dataDir)).filter(
    (name) => !/(?:blobs\/[^ ]*|\/store-id)$/.test(name),
  );
  assert.deepEqual(leftovers, []);
});

class Killer {
  readonly #instances: Instances;
  #left = KILLS;

  constructor(instances: Instances) {
    this.#instances = instances;
  }

  rest(): void {
    this.#left = 0;
  }

  /** Kills each instance independently. Sometimes none is running. */
  async killRepeatedly(): Promise<void> {
    await Promise.all(Array.from({ length: this.#instances.count }, (_, index) => this.#killOne(index)));
  }

  async #killOne(index: number): Promise<void> {
    while (this.#left > 0) {
      this.#left -= 1;
      await sleep(randomInt(Math.ceil(this.#instances.startMs)));
      // Most tasks are short, and a kill while none is running proves little.
      await waitFor(countRunning, (count) => count > 0, 'a running task');
      await sleep(randomInt(MAX_KILL_DELAY_MS));
      await this.#instances.killAndRestart(index);
    }
  }
}

const countRunning = () => countTasks(['RUNNING']);
const countLive = () => countTasks(['QUEUED', 'RUNNING']);

async function countTasks(statuses: readonly TaskStatus[]): Promise<number> {
  const found = await db.selectFrom('task').select('id').where('status', 'in', statuses).execute();
  return found.length;
}

async function checkWorks(person: Person, works: TaskLoad['works']): Promise<void> {
  assert.ok(works.length > 0);
  for (const work of works) {
    updateStatus(work, await getTask(person, { id: work.taskId }));
    await checkHome(person, work, work.status === 'COMPLETED');
  }
}

/** Asserts that lost workers are the only reason for failures. */
async function checkFailures(): Promise<void> {
  const failed = await db
    .selectFrom('task')
    .select(['id', 'type', 'failure_category', 'error_message'])
    .where('status', '=', 'FAILED')
    .where('failure_category', '!=', 'TRANSIENT_INFRASTRUCTURE')
    .execute();
  assert.deepEqual(failed, []);
}

async function countEnds() {
  return await db
    .selectFrom('task')
    .select(({ fn }) => [
      'type',
      'status',
      fn.countAll<number>().as('count'),
      fn.sum('attempt').as('attempts'),
    ])
    .groupBy(['type', 'status'])
    .orderBy('type')
    .orderBy('status')
    .execute();
}
