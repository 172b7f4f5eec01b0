// tier: default
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { DAY, HOUR } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { Blobs } from '../../src/blobs/blobs.ts';
import { markForRemoval } from '../../src/blobs/sweep/queries.ts';
import { BlobSweeper } from '../../src/blobs/sweep/sweeper.ts';
import { Leases } from '../../src/leases/leases.ts';
import { Settings } from '../../src/settings/settings.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { countWaitingStatements } from '../support/database/waiting-statements.ts';
import { send } from '../support/storage/byte-sources.ts';
import { openSinglePolicy } from '../support/storage/single-policy.ts';
import { WatchedStore } from '../support/storage/watched-store.ts';

// Objects that a sweep must not remove although nothing refers to them, and obstacles that must not stop it.

interface SweeperOptions {
  readonly uploadSessionTtlMs?: number;
  /** Called when the sweep has acquired the lease, before it marks blobs for removal. */
  readonly beforeRemoval?: () => Promise<void>;
  readonly onFault?: (error: unknown) => void;
}

async function openSweeper({
  uploadSessionTtlMs = DAY,
  beforeRemoval = async () => {},
  onFault = (error) => assert.fail(String(error)),
}: SweeperOptions = {}) {
  const { database } = await openTestDatabase();
  const root = await mkdtemp(path.join(tmpdir(), 'holdall-care-'));
  after(() => rm(root, { recursive: true, force: true }));
  const clock = new TestClock();
  const store = new WatchedStore(root);
  const { policies, policyId } = await openSinglePolicy(database, store, clock);
  const blobs = new Blobs({ database, clock, ids: systemIds, policies });
  const lease = new Leases(database, clock, 'sweeper').forName('remove objects', HOUR);
  const sweeper = new BlobSweeper({
    database,
    policies,
    settings: new Settings(clock, systemIds),
    clock,
    graceMs: HOUR,
    uploadSessionTtlMs,
    claims: [{ findClaimedKeys: async () => [], findOldest: async () => undefined }],
    removalLease: {
      ...lease,
      runExclusively: (work) =>
        lease.runExclusively(async () => {
          await beforeRemoval();
          await work();
        }),
    },
    onFault,
  });
  const put = async (key: string) => {
    await store.write(key, send(Buffer.of(1)));
    const seconds = clock.now() / 1_000;
    await utimes(store.pathOf(key), seconds, seconds);
    return key;
  };
  const sweep = () => sweeper.sweep(new AbortController().signal);
  const putUnreferenced = async () => {
    const objectKey = await put(blobs.newKey());
    const blobId = await database.transact(async (tx) => {
      const fixed = { kind: 'FILE', sha256: null, crc32: null, contentType: null, createdBy: 1 } as const;
      const id = await blobs.insert(tx, { ...fixed, policyId, objectKey, size: 1 });
      await blobs.dropReference(tx, id);
      return id;
    });
    return { objectKey, blobId };
  };
  return { database, clock, store, policyId, blobs, put, putUnreferenced, sweep };
}

test('an object dated by the start of its upload stays for as long as the upload may take', async () => {
  const { clock, store, blobs, put, sweep } = await openSweeper();
  store.describe = (object) => ({ ...object, isDatedByWriteStart: true });
  const key = await put(blobs.newKey());
  clock.advance(4 * DAY);
  assert.equal(await sweep(), 0);
  clock.advance(HOUR + 1);
  assert.equal(await sweep(), 1);
  assert.equal(await store.find(key), undefined);
});

test('an object that appears late in a long upload session is found', async () => {
  const { clock, store, blobs, put, sweep } = await openSweeper({ uploadSessionTtlMs: 10 * DAY });
  const key = blobs.newKey();
  for (let day = 0; day < 12; day += 1) {
    clock.advance(DAY);
    await sweep();
  }
  await put(key);
  clock.advance(2 * HOUR);
  assert.equal(await sweep(), 1);
  assert.equal(await store.find(key), undefined);
});

test('objects with other forms of keys are never removed', async () => {
  const { clock, store, put, sweep } = await openSweeper();
  const keys = [
    'blobs/readme',
    'blobs/20260102',
    'blobs/blobs/20260101/0000/theirs',
    'blobs/20260101/x/y',
    'other/a',
  ];
  for (const key of keys) await put(key);
  clock.advance(10 * DAY);
  assert.equal(await sweep(), 0);
  for (const key of keys) assert.ok(await store.find(key), key);
});

test('unfinished writes of others below the same prefix are not aborted', async () => {
  const { clock, store, blobs, sweep } = await openSweeper();
  const foreign = 'inner/blobs/20260101/0000/theirs';
  const id = await store.resumable.begin(foreign);
  await store.resumable.begin(blobs.newKey());
  clock.advance(10 * DAY);
  await sweep();
  await store.resumable.finish({ key: foreign, id, size: 0 }, { size: 0, parts: 0, tailKey: null });
  assert.ok(await store.find(foreign));
});

test('a sweep that was paused until a backup acquired its lease removes no blob', async () => {
  let pause = async () => {};
  const { database, clock, store, putUnreferenced, sweep } = await openSweeper({
    beforeRemoval: () => pause(),
  });
  const { objectKey } = await putUnreferenced();
  clock.advance(2 * HOUR);
  const backup = new Leases(database, clock, 'backup').forName('remove objects', HOUR);
  const begun = Promise.withResolvers<void>();
  const copied = Promise.withResolvers<void>();
  let copying: Promise<boolean> | undefined;
  pause = async () => {
    clock.advance(HOUR + 1);
    copying = backup.runExclusively(() => {
      begun.resolve();
      return copied.promise;
    });
    await begun.promise;
  };
  assert.equal(await sweep(), 0);
  assert.ok(await store.find(objectKey));
  copied.resolve();
  assert.equal(await copying, true);
  pause = async () => {};
  assert.equal(await sweep(), 1);
  assert.equal(await store.find(objectKey), undefined);
});

test('a blob that gets a reference while a sweep waits for its row stays', async () => {
  const { database, clock, blobs, policyId, putUnreferenced } = await openSweeper();
  const { blobId } = await putUnreferenced();
  clock.advance(2 * HOUR);
  const begun = Promise.withResolvers<void>();
  const isWaiting = Promise.withResolvers<void>();
  const referring = database.transact(async (tx) => {
    await blobs.addReference(tx, blobId);
    begun.resolve();
    await isWaiting.promise;
  });
  await begun.promise;
  const now = clock.now();
  const marking = database.transact((tx) =>
    markForRemoval(tx, { policyId, before: now, now, after: undefined, limit: 10 }),
  );
  if (isPostgres)
    await waitUntil('the sweep waited for the row', async () => (await countWaitingStatements(database)) > 0);
  else await setImmediate();
  isWaiting.resolve();
  await referring;
  assert.deepEqual(await marking, []);
});

test('the next sweep finds objects that the first could not list, however old they are', async () => {
  const faults: string[] = [];
  const onFault = (error: unknown) => faults.push(String(error));
  const { clock, store, blobs, put, sweep } = await openSweeper({ onFault });
  const key = await put(blobs.newKey());
  clock.advance(100 * DAY);
  store.describe = () => {
    throw new Error('the store is away');
  };
  assert.equal(await sweep(), 0);
  assert.deepEqual(faults, ['Error: the store is away']);
  store.describe = (object) => object;
  assert.equal(await sweep(), 1);
  assert.equal(await store.find(key), undefined);
});

test('blobs of a store that is not connected do not stop the removal of others', async () => {
  const { database, clock, store, policyId, blobs, put, sweep } = await openSweeper();
  const { id: _own, ...policy } = await database.db
    .selectFrom('storage_policy')
    .selectAll()
    .executeTakeFirstOrThrow();
  const { id: elsewhere } = await database.transact((tx) =>
    tx
      .insertInto('storage_policy')
      .values({ ...policy, name: 'Other', type: 'S3_COMPATIBLE', bucket_name: 'b', is_default: 0 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const insert = (of: number, objectKey: string) =>
    database.transact(async (tx) => {
      const fixed = { kind: 'FILE', sha256: null, crc32: null, contentType: null, createdBy: 1 } as const;
      await blobs.dropReference(tx, await blobs.insert(tx, { ...fixed, policyId: of, objectKey, size: 1 }));
    });
  for (let index = 0; index < 600; index += 1) await insert(elsewhere, `${blobs.newKey()}-${index}`);
  const key = await put(blobs.newKey());
  await insert(policyId, key);
  clock.advance(2 * HOUR);
  assert.equal(await sweep(), 1);
  assert.equal(await store.find(key), undefined);
  const { rows } = await sql<{ left: number }>`select count(*) as "left" from blob`.execute(database.db);
  assert.equal(Number(rows[0]?.left), 600);
});
