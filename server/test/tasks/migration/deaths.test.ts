// tier: full
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { HOUR, SECOND } from '../../../src/base/clock.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { type Holdall, startHoldall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { FailingRun, toFailingStore } from '../../support/migration/failing-run.ts';
import {
  addPolicy,
  assertNothingLeft,
  countObjects,
  GRACE_MS,
  listLocations,
  type MigrationParts,
  openMigrations,
  TestTask,
} from '../../support/migration/migration.ts';

// Interrupts a migration at each of its steps in turn, as a crash would, and checks what is left each time.

const MAX_STEPS = 400;

/** Each test takes half of the steps, to keep each short. */
const HALVES = [
  ['odd', 1],
  ['even', 2],
] as const;
const LIMIT = { timeout: 230_000 };

const PAGE = { objects: 2, bytes: 1_000_000 };

/** Starts a service with two policies and a few files in the first. */
async function startWithTwoPolicies() {
  const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '14d' } });
  const policyIds = [(await holdall.app.policies.getDefault()).id, await addPolicy(holdall)];
  const alice = await holdall.register('alice');
  const files: { file: EntryRecord; bytes: Buffer<ArrayBuffer> }[] = [];
  for (const size of [0, 100, 20_000]) {
    const bytes = randomBytes(size);
    files.push({ file: await alice.upload(`/file-${size}`, bytes), bytes });
  }
  // A blob without a checksum is copied on another code path.
  await holdall.app.database.transact((tx) =>
    tx.updateTable('blob').set({ sha256: null, crc32: null }).where('size', '=', 100).execute(),
  );
  const check = async () => {
    for (const { file, bytes } of files) assert.ok((await alice.download(file)).equals(bytes), file.filename);
    await checkBooks(holdall);
  };
  const [one = 0, other = 0] = policyIds;
  return { holdall, one, other, check };
}

function failingParts({ app }: Holdall, failingRun: FailingRun): MigrationParts {
  return {
    database: {
      db: app.database.db,
      transact: (work) => failingRun.act(() => app.database.transact(work)),
      transactBySize: (isLong, work) => failingRun.act(() => app.database.transactBySize(isLong, work)),
      readLong: (work) => app.database.readLong(work),
    },
    policies: {
      find: (db, id) => app.policies.find(db, id),
      getStore: async (id) => toFailingStore(await app.policies.getStore(id), failingRun),
    },
    page: PAGE,
  };
}

async function clearChecksum({ app }: Holdall): Promise<void> {
  await app.database.transact((tx) =>
    tx.updateTable('blob').set({ sha256: null, crc32: null }).where('size', '=', 100).execute(),
  );
}

/** Asserts that either all blobs have been migrated or none. */
async function assertAllOrNothing(holdall: Holdall, task: TestTask, plan: { from: number; to: number }) {
  const where = new Set((await listLocations(holdall)).map((blob) => blob.policyId));
  assert.deepEqual([...where], [task.status === 'COMPLETED' ? plan.to : plan.from]);
}

async function endGrace(holdall: Holdall, removeLeftovers: () => Promise<void>): Promise<void> {
  holdall.clock.advance(GRACE_MS + SECOND);
  await removeLeftovers();
  await assertNothingLeft(holdall);
}

describe('a migration that is interrupted by a crash', () => {
  for (const [half, first] of HALVES) {
    it(`at any ${half} step completes when it is run again`, LIMIT, async () => {
      const { holdall, one, other, check } = await startWithTwoPolicies();
      let plan = { from: one, to: other };
      for (let step: number = first; ; step += 2) {
        assert.ok(step < MAX_STEPS);
        await clearChecksum(holdall);
        const task = new TestTask({ sourcePolicyId: plan.from, targetPolicyId: plan.to });
        const failingRun = new FailingRun(step);
        const crashing = openMigrations(holdall, [task], failingParts(holdall, failingRun));
        const error = await crashing.job.run(task.begin(holdall)).catch((reason: unknown) => reason);
        await failingRun.settle();
        if (!failingRun.hasFailed) {
          assert.equal(error, undefined);
          assert.ok(step > 20, `only ${step} steps`);
          return;
        }
        await assertAllOrNothing(holdall, task, plan);

        const again = openMigrations(holdall, [task], { page: PAGE });
        // A sweep that runs much later removes nothing that the migration still needs.
        holdall.clock.advance(3 * HOUR);
        await holdall.app.cleanUp();
        if (task.status === 'LIVE') await again.job.run(task.begin(holdall));
        await assertAllOrNothing(holdall, task, plan);
        await endGrace(holdall, again.removeLeftovers);
        holdall.clock.advance(3 * HOUR);
        await holdall.app.cleanUp();
        await check();
        assert.deepEqual(
          [await countObjects(holdall, plan.from), await countObjects(holdall, plan.to)],
          [0, 3],
        );
        plan = { from: plan.to, to: plan.from };
      }
    });
  }

  for (const [half, first] of HALVES) {
    it(`at any ${half} step leaves nothing behind if its task is cancelled afterwards`, LIMIT, async () => {
      const { holdall, one, other, check } = await startWithTwoPolicies();
      let plan = { from: one, to: other };
      for (let step: number = first; ; step += 2) {
        assert.ok(step < MAX_STEPS);
        await clearChecksum(holdall);
        const task = new TestTask({ sourcePolicyId: plan.from, targetPolicyId: plan.to });
        const failingRun = new FailingRun(step);
        const crashing = openMigrations(holdall, [task], failingParts(holdall, failingRun));
        const error = await crashing.job.run(task.begin(holdall)).catch((reason: unknown) => reason);
        await failingRun.settle();
        if (!failingRun.hasFailed) {
          assert.equal(error, undefined);
          return;
        }
        const isMoved = task.status === 'COMPLETED';
        if (!isMoved) task.status = 'CANCELLED';
        const { removeLeftovers } = openMigrations(holdall, [task]);
        await removeLeftovers();
        await assertAllOrNothing(holdall, task, plan);
        await endGrace(holdall, removeLeftovers);
        holdall.clock.advance(3 * HOUR);
        await holdall.app.cleanUp();
        await check();
        const where = isMoved ? plan.to : plan.from;
        assert.deepEqual(
          [await countObjects(holdall, where), await countObjects(holdall, one + other - where)],
          [3, 0],
        );
        if (isMoved) plan = { from: plan.to, to: plan.from };
      }
    });
  }
});

describe('a migration that fails', () => {
  for (const [half, first] of HALVES) {
    it(`at any ${half} step changes nothing, unless it had completed`, LIMIT, async () => {
      const { holdall, one, other, check } = await startWithTwoPolicies();
      let plan = { from: one, to: other };
      for (let step: number = first; ; step += 2) {
        assert.ok(step < MAX_STEPS);
        await clearChecksum(holdall);
        const before = await listLocations(holdall);
        const task = new TestTask({ sourcePolicyId: plan.from, targetPolicyId: plan.to });
        const failingRun = new FailingRun(step, 'error');
        const failing = openMigrations(holdall, [task], failingParts(holdall, failingRun));
        const error = await failing.job.run(task.begin(holdall)).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        await failingRun.settle();
        if (!failingRun.hasFailed) {
          assert.equal(error, undefined);
          return;
        }
        assert.match(String(error), /simulated error/);
        await assertAllOrNothing(holdall, task, plan);
        if (task.status === 'LIVE') {
          assert.deepEqual(await listLocations(holdall), before);
          // The copies are removed at once, not by the next clean-up.
          assert.equal(await countObjects(holdall, plan.to), 0);
          await assertNothingLeft(holdall);
        }
        await endGrace(holdall, failing.removeLeftovers);
        await check();
        if (task.status === 'COMPLETED') plan = { from: plan.to, to: plan.from };
      }
    });
  }
});
