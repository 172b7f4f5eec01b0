import assert from 'node:assert/strict';
import { Failure } from '../../../src/base/failure.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { PolicyMigrations } from '../../../src/blobs/migration/policy-migrations.ts';
import { StoreOwnership } from '../../../src/blobs/store-ownership.ts';
import type { Tx } from '../../../src/database/database.ts';
import type { StoragePolicyTable } from '../../../src/database/tables/blobs.ts';
import type { Attempt, JsonObject } from '../../../src/tasks/engine/job.ts';
import { MigrationJob } from '../../../src/tasks/migration/migration.ts';
import type { Holdall } from '../app/holdall.ts';

export const GRACE_MS = 3_600_000;

type PolicyChange = Partial<Pick<StoragePolicyTable, 'type' | 'prefix' | 'enabled' | 'max_size_bytes'>>;

/** Adds a copy of the default policy with the change, by default with a prefix below it. Returns its id. */
export async function addPolicy(holdall: Holdall, change: PolicyChange = {}): Promise<number> {
  const { database } = holdall.app;
  const { id: _own, ...row } = await database.db
    .selectFrom('storage_policy')
    .selectAll()
    .where('is_default', '=', 1)
    .executeTakeFirstOrThrow();
  const prefix = row.prefix === '' ? 'second' : `${row.prefix}/second`;
  const { id } = await database.transact((tx) =>
    tx
      .insertInto('storage_policy')
      .values({ ...row, name: `Place ${systemIds.uuid()}`, prefix, ...change, is_default: 0 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  holdall.clock.advance(2_000);
  return id;
}

export async function setEnabled(tx: Tx, policyId: number, enabled: 0 | 1): Promise<void> {
  await tx.updateTable('storage_policy').set({ enabled }).where('id', '=', policyId).execute();
}

/** A stand-in for a task of the engine: knows which attempt runs it, and how it ended. */
export class TestTask {
  static #last = 0;
  readonly id: number;
  readonly input: JsonObject;
  status: 'LIVE' | 'COMPLETED' | 'CANCELLED' | 'FAILED' = 'LIVE';
  current: TestAttempt | undefined;

  /** @param id the id of a row of the `task` table, if the service itself must know the task */
  constructor(input: JsonObject, id?: number) {
    TestTask.#last += 1;
    this.id = id ?? TestTask.#last;
    this.input = input;
  }

  /** Starts a new attempt. The previous one loses the task. */
  begin(holdall: Holdall): TestAttempt {
    this.current = new TestAttempt(holdall, this);
    return this.current;
  }

  cancel(): void {
    this.status = 'CANCELLED';
    this.current?.end.abort(new Error('cancelled'));
  }
}

class TestAttempt implements Attempt {
  readonly driveId = 1_000_000;
  readonly accountId = 1;
  readonly entryId = null;
  readonly end = new AbortController();
  readonly reports: JsonObject[] = [];
  readonly #task: TestTask;
  readonly #holdall: Holdall;
  /** Called whenever the attempt locks the task, such as before a page is recorded. */
  beforeLock: (tx: Tx) => void | Promise<void> = () => {};

  constructor(holdall: Holdall, task: TestTask) {
    this.#holdall = holdall;
    this.#task = task;
  }

  get taskId(): number {
    return this.#task.id;
  }

  get input(): JsonObject {
    return this.#task.input;
  }

  get signal(): AbortSignal {
    return this.end.signal;
  }

  get state(): JsonObject {
    return Object.assign({}, ...this.reports);
  }

  report(members: JsonObject): void {
    this.reports.push(members);
  }

  async lock(tx: Tx): Promise<void> {
    await this.beforeLock(tx);
    if (this.#task.current !== this || this.#task.status !== 'LIVE') {
      throw new Failure('rejected', 'This attempt has lost its task.');
    }
  }

  async complete(tx: Tx, members: JsonObject = {}): Promise<void> {
    await this.lock(tx);
    this.#holdall.app.database.afterCommit(tx, () => {
      this.#task.status = 'COMPLETED';
      this.reports.push(members);
    });
  }
}

/** The dependencies of a migration that a test may replace. */
export type MigrationParts = Pick<
  ConstructorParameters<typeof PolicyMigrations>[0],
  'database' | 'policies' | 'page'
>;

/** Creates the migration job of a service, as the engine does. */
export function openMigrations(
  holdall: Holdall,
  tasks: readonly TestTask[] | (() => readonly TestTask[]),
  parts: Partial<MigrationParts> = {},
) {
  const { app, clock } = holdall;
  const faults: string[] = [];
  const shared = { database: app.database, policies: app.policies, ...parts };
  const policyMigrations = new PolicyMigrations({
    ...shared,
    clock,
    ids: systemIds,
    graceMs: GRACE_MS,
    onFault: (error, doing) => faults.push(`${doing}: ${error}`),
  });
  const job = new MigrationJob({
    database: shared.database,
    policies: app.policies,
    storeOwnership: new StoreOwnership(app),
    policyMigrations,
    findEndedTasks: async (_db, ids) => {
      const live = (typeof tasks === 'function' ? tasks() : tasks).filter((task) => task.status === 'LIVE');
      return ids.filter((id) => !live.some((task) => task.id === id));
    },
  });
  return {
    job,
    policyMigrations,
    faults,
    removeLeftovers: () => job.removeLeftovers(new AbortController().signal),
  };
}

/** The policy and key of each blob, in the order of the ids. */
export async function listLocations(holdall: Holdall) {
  return await holdall.app.database.db
    .selectFrom('blob')
    .select(['id', 'policy_id as policyId', 'object_key as objectKey', 'sha256'])
    .orderBy('id')
    .execute();
}

export async function countIn(holdall: Holdall, policyId: number): Promise<number> {
  return (await listLocations(holdall)).filter((blob) => blob.policyId === policyId).length;
}

/** The number of blob objects in the store of a policy. */
export async function countObjects(holdall: Holdall, policyId: number): Promise<number> {
  const store = await holdall.app.policies.getStore(policyId);
  let count = 0;
  for await (const _object of store.list('blobs')) count += 1;
  return count;
}

async function countCopyRows(holdall: Holdall): Promise<number> {
  const rows = await holdall.app.database.db.selectFrom('blob_move').select('blob_id').execute();
  return rows.length;
}

export async function assertNothingLeft(holdall: Holdall): Promise<void> {
  assert.equal(await countCopyRows(holdall), 0, 'rows of copies');
  const policyMigrations = await holdall.app.database.db.selectFrom('blob_relocation').selectAll().execute();
  assert.deepEqual(policyMigrations, []);
}
