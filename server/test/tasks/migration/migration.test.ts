// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFull, isLong } from '../../../../tools/testing/tiers.ts';
import { Failure } from '../../../src/base/failure.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { countIn, countObjects, listLocations } from '../../support/migration/migration.ts';
import { endGrace, openPolicies } from '../../support/migration/migration-policies.ts';
import { isS3 } from '../../support/storage/test-storage.ts';

// Fewer objects on S3, where every request takes time.
const MANY = isLong && !isS3 ? 2_001 : 301;

describe('a migration', () => {
  it('copies every object, serves downloads as before, and removes the old objects after the grace time', async () => {
    const { holdall, source, target, files, begin, open, checkFiles } = await openPolicies();
    const before = await listLocations(holdall);
    const { task, attempt } = begin();
    const migrations = open();
    await migrations.job.run(attempt);
    assert.equal(task.status, 'COMPLETED');
    const after = await listLocations(holdall);
    assert.equal(after.length, files.length);
    for (const [index, { id, policyId, objectKey, sha256 }] of after.entries()) {
      assert.deepEqual([id, policyId, sha256], [before[index]?.id, target, before[index]?.sha256]);
      assert.notEqual(objectKey, before[index]?.objectKey);
    }
    await checkFiles();
    await checkBooks(holdall);

    assert.equal(await countObjects(holdall, source), files.length);
    await holdall.app.cleanUp();
    await migrations.removeLeftovers();
    assert.equal(await countObjects(holdall, source), files.length, 'kept for the grace time');
    await endGrace(holdall, migrations);
    assert.equal(await countObjects(holdall, source), 0);
    await holdall.app.cleanUp();
    await checkFiles();
    await checkBooks(holdall);
  });

  it('reports its progress', async () => {
    const { source, target, begin, open } = await openPolicies([100, 200, 300]);
    const { attempt } = begin();
    await open({ page: { objects: 1, bytes: 1 } }).job.run(attempt);
    const fixed = {
      sourcePolicyId: source,
      targetPolicyId: target,
      totalObjectCount: 3,
      totalBytes: 600,
    };
    assert.deepEqual(attempt.reports[0], {
      ...fixed,
      processedObjectCount: 0,
      processedBytes: 0,
      progressPercent: 0,
    });
    assert.deepEqual(attempt.reports.at(-1), {
      ...fixed,
      processedObjectCount: 3,
      processedBytes: 600,
      progressPercent: 100,
    });
    const percents = attempt.reports.map((members) => Number(members.progressPercent));
    assert.deepEqual(
      percents,
      percents.toSorted((one, other) => one - other),
    );
    assert.ok(percents.includes(16) && percents.includes(50), percents.join(' '));
  });

  it('completes at once if there is nothing to migrate', async () => {
    const { holdall, source, target, begin, open } = await openPolicies([]);
    const { task, attempt } = begin({ sourcePolicyId: target, targetPolicyId: source });
    const migrations = open();
    await migrations.job.run(attempt);
    assert.equal(task.status, 'COMPLETED');
    assert.equal(attempt.state.progressPercent, 100);
    await endGrace(holdall, migrations);
  });

  it('copies an object once, even if several drives refer to it', async () => {
    const { holdall, target, alice, files, begin, open, checkFiles } = await openPolicies([5_000]);
    const copy = await alice.copy(files[0]?.file ?? assert.fail(), '/Documents');
    const { attempt } = begin();
    await open().job.run(attempt);
    assert.equal(attempt.state.totalObjectCount, 1);
    assert.equal(await countIn(holdall, target), 1);
    assert.ok((await alice.download(copy)).equals(files[0]?.bytes ?? Buffer.of()));
    await checkFiles();
    await checkBooks(holdall);
  });

  it('can be reversed; objects stored in between stay where they were stored', async () => {
    const { holdall, source, target, alice, files, begin, open, checkFiles } = await openPolicies();
    const migrations = open();
    const first = begin();
    await migrations.job.run(first.attempt);
    files.push({ file: await alice.upload('/later', 'later'), bytes: Buffer.from('later') });
    assert.deepEqual([await countIn(holdall, source), await countIn(holdall, target)], [1, 4]);
    // The grace time of the first migration has not passed, so its old objects still exist.
    await migrations.job.run(begin({ sourcePolicyId: target, targetPolicyId: source }).attempt);
    assert.deepEqual([await countIn(holdall, source), await countIn(holdall, target)], [5, 0]);
    await checkFiles();
    await endGrace(holdall, migrations);
    assert.deepEqual([await countObjects(holdall, source), await countObjects(holdall, target)], [5, 0]);
    await checkFiles();
    await checkBooks(holdall);
  });

  it('computes and records missing checksums', async () => {
    const { holdall, begin, open, checkFiles } = await openPolicies();
    const recorded = await listLocations(holdall);
    await holdall.app.database.transact((tx) =>
      tx.updateTable('blob').set({ sha256: null, crc32: null }).execute(),
    );
    await open().job.run(begin().attempt);
    const places = await listLocations(holdall);
    assert.deepEqual(
      places.map((blob) => blob.sha256),
      recorded.map((blob) => blob.sha256),
    );
    const rows = await holdall.app.database.db.selectFrom('blob').select('crc32').execute();
    assert.ok(rows.every((row) => row.crc32 !== null));
    await checkFiles();
    await checkBooks(holdall);
  });

  it(`migrates ${MANY} objects`, { ...inFull, timeout: 230_000 }, async () => {
    const { holdall, source, target, alice, begin, open } = await openPolicies([]);
    await storeMany(alice, MANY);
    assert.equal(await countIn(holdall, source), MANY);
    const { attempt } = begin();
    const migrations = open();
    await migrations.job.run(attempt);
    assert.deepEqual([attempt.state.processedObjectCount, await countIn(holdall, target)], [MANY, MANY]);
    await checkBooks(holdall, { deep: false });
    await endGrace(holdall, migrations);
    assert.deepEqual([await countObjects(holdall, source), await countObjects(holdall, target)], [0, MANY]);
    await checkBooks(holdall, { deep: false });
  });
});

describe('a store that is unreachable for a moment', () => {
  it('does not make a migration fail', inFull, async () => {
    const { holdall, target, begin, open, checkFiles } = await openPolicies();
    const away = new Failure('unavailable', 'The store is away.');
    let refusals = 2;
    const { policies } = holdall.app;
    const migrations = open({
      policies: {
        find: (db, id) => policies.find(db, id),
        getStore: async (id) => {
          const store = await policies.getStore(id);
          return new Proxy(store, {
            get: (inner, name) => {
              if (name === 'open' && id === target && refusals > 0) {
                refusals -= 1;
                return () => Promise.reject(away);
              }
              const member: unknown = Reflect.get(inner, name);
              return typeof member === 'function' ? member.bind(inner) : member;
            },
          });
        },
      },
    });
    // Without known checksums the bytes are copied through the service.
    await holdall.app.database.transact((tx) => tx.updateTable('blob').set({ sha256: null }).execute());
    const { attempt } = begin();
    await migrations.job.run(attempt);
    assert.equal(refusals, 0);
    assert.deepEqual([attempt.state.processedBytes, attempt.state.totalBytes], [310_001, 310_001]);
    await checkFiles();
    await endGrace(holdall, migrations);
    await checkBooks(holdall);
  });
});

describe('a client that uses an old object', () => {
  it('can use a signed URL that was issued before', async () => {
    const { holdall, alice, files, begin, open } = await openPolicies([300_000]);
    const [{ file, bytes } = assert.fail()] = files;
    const { url } = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
    await open().job.run(begin().attempt);
    const response = await fetch(url);
    assert.equal(response.status, 200);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
    const now = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
    assert.notEqual(now.url, url);
    assert.ok(Buffer.from(await (await fetch(now.url)).arrayBuffer()).equals(bytes));
    await checkBooks(holdall);
  });

  it('can finish reading during the switch, and open objects that it looked up before', async () => {
    const { holdall, alice, files, begin, open } = await openPolicies([3_000_000]);
    const [{ file, bytes } = assert.fail()] = files;
    const [{ policyId, objectKey } = assert.fail()] = await listLocations(holdall);
    const reading = await alice.fetch('GET', `/api/files/download/${file.id}`);
    const migrations = open();
    await migrations.job.run(begin().attempt);
    await holdall.app.cleanUp();
    assert.ok(Buffer.from(await reading.arrayBuffer()).equals(bytes));
    assert.ok(await (await holdall.app.policies.getStore(policyId)).find(objectKey));
  });

  if (!isS3) {
    it('can use the internal path of a reverse proxy, which contains the directory of the policy', async () => {
      const { holdall, alice, files, begin, open } = await openPolicies([10]);
      const [{ file } = assert.fail()] = files;
      await open().job.run(begin().attempt);
      const { url } = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
      assert.match(new URL(url).pathname, /^\/_dl\/second\/blobs\/\d{8}\/\d{4}\/[\w-]+$/);
      assert.equal((await fetch(url)).status, 200);
      const behindProxy = await startHoldall({
        beside: holdall,
        env: { HOLDALL_ACCEL_REDIRECT: '/_objects/' },
      });
      const response = await fetch(`${behindProxy.url}/api/files/download/${file.id}`, {
        headers: { authorization: `Bearer ${alice.token}` },
      });
      assert.match(response.headers.get('x-accel-redirect') ?? '', /^\/_objects\/second\/blobs\//);
    });
  }
});

async function storeMany(person: Person, count: number): Promise<void> {
  let next = 0;
  const storeSome = async () => {
    for (let number = next++; number < count; number = next++) {
      await person.upload(`/many-${number}`, `content ${number}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, storeSome));
}
