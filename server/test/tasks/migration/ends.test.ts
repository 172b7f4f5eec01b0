// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { HOUR } from '../../../src/base/clock.ts';
import type { JobFailure } from '../../../src/tasks/engine/job.ts';
import { checkBooks } from '../../support/checks/books.ts';
import {
  addPolicy,
  assertNothingLeft,
  countIn,
  countObjects,
  listLocations,
  setEnabled,
} from '../../support/migration/migration.ts';
import { endGrace, failureOf, openPolicies } from '../../support/migration/migration-policies.ts';
import { isS3 } from '../../support/storage/test-storage.ts';

// Migrations that fail, or are cancelled, interrupted or taken over.

describe('a migration that is not allowed', () => {
  for (const [what, change, category, message] of [
    [
      'into a policy of another type',
      { type: isS3 ? 'LOCAL' : 'S3_COMPATIBLE', prefix: 'other' },
      'UNSUPPORTED_INPUT',
      /this service uses/,
    ],
    ['into a disabled policy', { prefix: 'disabled', enabled: 0 }, 'DATA_STATE', /disabled/],
    [
      'of an object that is too large for the target',
      { prefix: 'small', max_size_bytes: 299_999 },
      'DATA_STATE',
      /300000 bytes is larger/,
    ],
  ] as const) {
    it(`fails ${what}`, async () => {
      const { holdall, source, begin, open, checkFiles } = await openPolicies();
      const before = await listLocations(holdall);
      const targetPolicyId = await addPolicy(holdall, change);
      const migrations = open();
      const failure = await failureOf(
        migrations.job.run(begin({ sourcePolicyId: source, targetPolicyId }).attempt),
      );
      assert.equal(failure.category, category);
      assert.match(failure.message, message);
      assert.deepEqual(await listLocations(holdall), before);
      await assertNothingLeft(holdall);
      await checkFiles();
    });
  }

  it('fails if the source or target does not exist, or if both are the same', async () => {
    const { source, target, begin, open } = await openPolicies([]);
    const { job } = open();
    for (const input of [
      { sourcePolicyId: source, targetPolicyId: source },
      { sourcePolicyId: 12_345, targetPolicyId: target },
      { sourcePolicyId: source, targetPolicyId: 12_345 },
    ]) {
      assert.equal((await failureOf(job.run(begin(input).attempt))).category, 'UNSUPPORTED_INPUT');
    }
  });

  it('fails while another migration is active, in either direction, and does not disturb it', async () => {
    // Enough objects to keep the first migration running when the others begin.
    const sizes = Array.from({ length: 40 }, (_, index) => index + 1);
    const { holdall, source, target, begin, open, checkFiles } = await openPolicies(sizes);
    const { job } = open({ page: { objects: 1, bytes: 1 } });
    const first = begin();
    const others: Promise<JobFailure>[] = [];
    let holds = 0;
    const met = Promise.withResolvers<void>();
    first.attempt.beforeLock = () => {
      holds += 1;
      if (holds === 3) met.resolve();
    };
    const running = job.run(first.attempt);
    await met.promise;
    others.push(failureOf(job.run(begin().attempt)));
    others.push(failureOf(job.run(begin({ sourcePolicyId: target, targetPolicyId: source }).attempt)));
    const failures = await Promise.all(others);
    await running;
    assert.equal(first.task.status, 'COMPLETED');
    for (const failure of failures) {
      assert.equal(failure.category, 'DATA_STATE');
      assert.match(failure.message, /Only one can run at a time/);
    }
    assert.equal(await countIn(holdall, target), sizes.length);
    await checkFiles();
  });
});

describe('a migration that fails', () => {
  it('on an object with wrong bytes changes nothing and leaves no copies', async () => {
    const { holdall, source, target, begin, open } = await openPolicies([10, 20, 30, 40, 50, 60]);
    const before = await listLocations(holdall);
    const store = await holdall.app.policies.getStore(source);
    const spoilt = before[4]?.objectKey ?? assert.fail();
    await store.write(spoilt, bytesOf(randomBytes(50)));
    const { attempt } = begin();
    const failure = await failureOf(open({ page: { objects: 2, bytes: 1_000 } }).job.run(attempt));
    assert.equal(failure.category, 'DATA_STATE');
    assert.equal(failure.message, `The bytes of the object ${spoilt} differ from those that were stored.`);
    assert.equal(attempt.state.processedObjectCount, 4);
    assert.deepEqual(await listLocations(holdall), before);
    assert.deepEqual([await countObjects(holdall, source), await countObjects(holdall, target)], [6, 0]);
    await assertNothingLeft(holdall);
  });

  for (const [what, spoil] of [
    ['longer', (size: number) => size + 1],
    ['shorter', (size: number) => size - 1],
  ] as const) {
    it(`on an object ${what} than its record says`, inFull, async () => {
      const { holdall, source, target, begin, open } = await openPolicies([1_000]);
      const [{ objectKey } = assert.fail()] = await listLocations(holdall);
      const store = await holdall.app.policies.getStore(source);
      await store.write(objectKey, bytesOf(randomBytes(spoil(1_000))));
      for (const hasChecksum of [true, false]) {
        if (!hasChecksum) {
          await holdall.app.database.transact((tx) => tx.updateTable('blob').set({ sha256: null }).execute());
        }
        const failure = await failureOf(open().job.run(begin().attempt));
        assert.equal(failure.category, 'DATA_STATE');
        assert.equal(await countObjects(holdall, target), 0);
        await assertNothingLeft(holdall);
      }
    });
  }

  it('on a missing object leaves no copies', async () => {
    const { holdall, source, target, begin, open } = await openPolicies([10, 20]);
    const [, { objectKey } = assert.fail()] = await listLocations(holdall);
    await (await holdall.app.policies.getStore(source)).remove([objectKey]);
    const failure = await failureOf(open().job.run(begin().attempt));
    assert.equal(failure.category, 'DATA_STATE');
    assert.match(failure.message, /bytes of the object .* are missing/);
    assert.equal(await countObjects(holdall, target), 0);
    await assertNothingLeft(holdall);
  });

  it('because the target was disabled meanwhile leaves no copies', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPolicies();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    const before = await listLocations(holdall);
    const { attempt } = begin();
    let holds = 0;
    attempt.beforeLock = async (tx) => {
      holds += 1;
      if (holds === 3) await setEnabled(tx, target, 0);
    };
    const failure = await failureOf(migrations.job.run(attempt));
    assert.equal(failure.category, 'DATA_STATE');
    assert.equal(failure.message, 'The target policy is disabled.');
    assert.deepEqual(await listLocations(holdall), before);
    assert.equal(await countObjects(holdall, target), 0);
    await assertNothingLeft(holdall);
    await checkFiles();
    await holdall.app.database.transact((tx) => setEnabled(tx, target, 1));
    await migrations.job.run(begin().attempt);
    assert.equal(await countIn(holdall, target), 4);
  });

  it(
    'because the target was disabled just before the final transaction changes no blob',
    inFull,
    async () => {
      const { holdall, source, target, begin, open } = await openPolicies();
      const { policyMigrations } = open();
      const before = await listLocations(holdall);
      const { task, attempt } = begin();
      const hold = attempt.lock.bind(attempt);
      const migration = await policyMigrations.begin(
        { taskId: task.id, sourcePolicyId: source, targetPolicyId: target },
        hold,
      );
      const { signal } = attempt;
      assert.equal(
        (await policyMigrations.copies.copyPage(migration, 0, { lockTask: hold, signal, onBytes: () => {} }))
          ?.copied.objects,
        4,
      );
      await holdall.app.database.transact((tx) => setEnabled(tx, target, 0));
      const switching = policyMigrations.switchToCopies(migration, signal, (tx) => attempt.complete(tx));
      await assert.rejects(switching, /The target policy was disabled meanwhile/);
      assert.deepEqual(await listLocations(holdall), before);
      assert.equal(task.status, 'LIVE');
      assert.equal((await policyMigrations.findActive(holdall.app.database.db))?.id, migration.id);
    },
  );
});

describe('a migration that is cancelled', () => {
  it('half-way stops at once, and its copies are removed', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPolicies();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    const before = await listLocations(holdall);
    const { task, attempt } = begin();
    let holds = 0;
    attempt.beforeLock = () => {
      holds += 1;
      if (holds === 6) task.cancel();
    };
    await assert.rejects(migrations.job.run(attempt));
    assert.ok((await countObjects(holdall, target)) > 0);
    await migrations.removeLeftovers();
    assert.equal(await countObjects(holdall, target), 0);
    await assertNothingLeft(holdall);
    assert.deepEqual(await listLocations(holdall), before);
    await checkFiles();
    await checkBooks(holdall);
  });

  it('while no worker runs it is cleaned up by the maintenance job or by the next migration', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPolicies();
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    for (const next of [migrations.removeLeftovers, () => migrations.job.run(begin().attempt)]) {
      const { task, attempt } = begin();
      let holds = 0;
      attempt.beforeLock = () => {
        holds += 1;
        // Interrupted, as when its instance stops: the task is still queued.
        if (holds === 6) attempt.end.abort(new Error('stopped'));
      };
      await assert.rejects(migrations.job.run(attempt), /stopped/);
      await migrations.removeLeftovers();
      assert.ok((await countObjects(holdall, target)) > 0, 'kept for the next attempt');
      task.status = 'CANCELLED';
      await next();
      await migrations.removeLeftovers();
    }
    assert.equal(await countIn(holdall, target), 4);
    assert.equal(await countObjects(holdall, target), 4);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });
});

describe('an interrupted migration', () => {
  it('resumes where it stopped', async () => {
    const { holdall, source, target, alice, begin, open, checkFiles } = await openPolicies();
    const input = { sourcePolicyId: source, targetPolicyId: target };
    const driveId = alice.driveId;
    // The clean-up of the service abandons migrations whose task has ended, so this task needs a row.
    const queued = await holdall.app.database.transact((tx) =>
      holdall.app.tasks.addMigration(tx, { driveId, accountId: alice.id, correlationId: null, input }),
    );
    const migrations = open({ page: { objects: 1, bytes: 1 } });
    const { task, attempt } = begin(input, queued.task.id);
    let holds = 0;
    attempt.beforeLock = () => {
      holds += 1;
      if (holds === 6) attempt.end.abort(new Error('stopped'));
    };
    await assert.rejects(migrations.job.run(attempt), /stopped/);
    const rows = await holdall.app.database.db
      .selectFrom('blob_move')
      .selectAll()
      .orderBy('blob_id')
      .execute();
    const kept = rows.filter((row) => row.copied === 1);
    assert.equal(kept.length, 2);
    // The sweep does not remove the copies, however long the task waits in the queue.
    holdall.clock.advance(100 * HOUR);
    await holdall.app.cleanUp();
    const second = task.begin(holdall);
    await migrations.job.run(second);
    assert.deepEqual([second.reports[0]?.processedObjectCount, second.reports[0]?.totalObjectCount], [2, 4]);
    const places = await listLocations(holdall);
    for (const row of kept) {
      const place = places.find((blob) => blob.id === row.blob_id);
      assert.equal(place?.objectKey, row.target_key);
    }
    assert.equal(await countObjects(holdall, target), 4);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });

  it('cannot change anything after it was taken over', inFull, async () => {
    const { holdall, target, begin, open, checkFiles } = await openPolicies();
    const { task, attempt: lost } = begin();
    const migrations = open({ page: { objects: 2, bytes: 1_000_000 } });
    let holds = 0;
    lost.beforeLock = () => {
      holds += 1;
      if (holds === 3) task.begin(holdall);
    };
    assert.match((await failureOf(migrations.job.run(lost))).message, /lost its task/);
    const next = task.current ?? assert.fail();
    await migrations.job.run(next);
    assert.equal(task.status, 'COMPLETED');
    assert.equal(await countIn(holdall, target), 4);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });
});

async function* bytesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
