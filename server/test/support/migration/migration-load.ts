import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../../src/tasks/tasks.ts';
import type { Holdall } from '../app/holdall.ts';
import type { Person } from '../app/person.ts';

interface Owner {
  readonly driveId: number;
  readonly accountId: number;
}

/**
 * Repeatedly migrates all blobs from one storage policy to another and back, and cancels and retries at
 * random. Between migrations, all blobs that existed at the beginning are in the same policy.
 */
export class MigrationLoad {
  /** How often migrations have ended in each way. */
  readonly ends: Record<string, number> = {};
  readonly #holdall: Holdall;
  readonly #owner: Owner;
  /** The blobs that existed at the beginning. */
  readonly #blobIds: readonly number[];
  #sourceId: number;
  #targetId: number;
  #isStopping = false;

  private constructor(
    holdall: Holdall,
    owner: Owner,
    blobIds: readonly number[],
    [sourceId, targetId]: readonly [number, number],
  ) {
    this.#holdall = holdall;
    this.#owner = owner;
    this.#blobIds = blobIds;
    this.#sourceId = sourceId;
    this.#targetId = targetId;
  }

  /** @param policyIds the first one has all blobs */
  static async open(holdall: Holdall, person: Person, policyIds: readonly [number, number]) {
    const blobs = await holdall.app.database.db.selectFrom('blob').select('id').execute();
    assert.ok(blobs.length > 0);
    return new MigrationLoad(
      holdall,
      { driveId: person.driveId, accountId: person.id },
      blobs.map(({ id }) => id),
      policyIds,
    );
  }

  /** Migrates until {@link rest} is called and the last migration has ended. */
  async work(): Promise<void> {
    while (!this.#isStopping) {
      const task = await this.#untilEnded(await this.#begin());
      this.ends[task.status] = (this.ends[task.status] ?? 0) + 1;
      if (task.status === 'COMPLETED') [this.#sourceId, this.#targetId] = [this.#targetId, this.#sourceId];
      await this.check();
    }
  }

  rest(): void {
    this.#isStopping = true;
  }

  /** Checks that all blobs are in the target of the last completed migration. */
  async check(): Promise<void> {
    assert.deepEqual(await this.#findPolicyIds(), [this.#sourceId]);
  }

  async #begin(): Promise<Task> {
    const { database, tasks } = this.#holdall.app;
    const input = { sourcePolicyId: this.#sourceId, targetPolicyId: this.#targetId };
    const { task } = await database.transact((tx) =>
      tasks.addMigration(tx, { ...this.#owner, correlationId: null, input }),
    );
    return task;
  }

  async #untilEnded({ id }: Task): Promise<Task> {
    const { database, tasks } = this.#holdall.app;
    const isToBeCancelled = randomInt(5) === 0;
    let retries = randomInt(2);
    for (;;) {
      await sleep(isToBeCancelled ? randomInt(20, 1_000) : 50);
      assert.equal((await this.#findPolicyIds()).length, 1, 'a migration has switched some of the blobs');
      if (isToBeCancelled) await tasks.cancel(this.#owner, id);
      const task = await tasks.getAny(database.db, id);
      if (task.status === 'FAILED' && retries > 0) {
        retries -= 1;
        await tasks.retry(this.#owner, id);
      } else if (task.finishedAt !== null) return task;
    }
  }

  async #findPolicyIds(): Promise<readonly (number | null)[]> {
    const found = await this.#holdall.app.database.db
      .selectFrom('blob')
      .select('policy_id')
      .distinct()
      .where('id', 'in', this.#blobIds)
      .execute();
    return found.map((blob) => blob.policy_id);
  }
}
