import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../../src/tasks/tasks.ts';
import type { Holdall } from '../app/holdall.ts';

/**
 * Moves everything from one storage policy to another and back, again and again, cancels and tries again at random.
 * What was stored before it began lies in one of them all the time, all of it.
 */
export class MigrationLoad {
  /** How often migrations have ended in each way. */
  readonly ends: Record<string, number> = {};
  readonly #holdall: Holdall;
  readonly #ownerId: number;
  readonly #anchors: readonly number[];
  #here: number;
  #there: number;
  #isResting = false;

  private constructor(
    holdall: Holdall,
    ownerId: number,
    anchors: readonly number[],
    [here, there]: readonly [number, number],
  ) {
    this.#holdall = holdall;
    this.#ownerId = ownerId;
    this.#anchors = anchors;
    this.#here = here;
    this.#there = there;
  }

  /** @param policyIds the first has everything */
  static async open(holdall: Holdall, ownerId: number, policyIds: readonly [number, number]) {
    const blobs = await holdall.app.database.db.selectFrom('blob').select('id').execute();
    assert.ok(blobs.length > 0);
    return new MigrationLoad(
      holdall,
      ownerId,
      blobs.map(({ id }) => id),
      policyIds,
    );
  }

  /** Until {@link rest} is called, and the last one has ended. */
  async work(): Promise<void> {
    while (!this.#isResting) {
      const task = await this.#untilEnded(await this.#begin());
      this.ends[task.status] = (this.ends[task.status] ?? 0) + 1;
      if (task.status === 'COMPLETED') [this.#here, this.#there] = [this.#there, this.#here];
      await this.check();
    }
  }

  rest(): void {
    this.#isResting = true;
  }

  /** Everything is where the last migration that was completed has brought it. */
  async check(): Promise<void> {
    assert.deepEqual(await this.#findPlaces(), [this.#here]);
  }

  async #begin(): Promise<Task> {
    const { database, tasks } = this.#holdall.app;
    const input = { sourcePolicyId: this.#here, targetPolicyId: this.#there };
    const { task } = await database.transact((tx) =>
      tasks.addMigration(tx, { ownerId: this.#ownerId, correlationId: null, input }),
    );
    return task;
  }

  async #untilEnded({ id }: Task): Promise<Task> {
    const { database, tasks } = this.#holdall.app;
    const isToBeCancelled = randomInt(5) === 0;
    let retries = randomInt(2);
    for (;;) {
      await sleep(isToBeCancelled ? randomInt(20, 1_000) : 50);
      assert.equal((await this.#findPlaces()).length, 1, 'a migration has moved half of all');
      if (isToBeCancelled) await tasks.cancel(this.#ownerId, id);
      const task = await tasks.getAny(database.db, id);
      if (task.status === 'FAILED' && retries > 0) {
        retries -= 1;
        await tasks.retry(this.#ownerId, id);
      } else if (task.finishedAt !== null) return task;
    }
  }

  async #findPlaces(): Promise<readonly (number | null)[]> {
    const found = await this.#holdall.app.database.db
      .selectFrom('blob')
      .select('policy_id')
      .distinct()
      .where('id', 'in', this.#anchors)
      .execute();
    return found.map((blob) => blob.policy_id);
  }
}
