// tier: default
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { Blobs } from '../../src/blobs/blobs.ts';
import { dayOf } from '../../src/blobs/object-key.ts';
import { BlobSweeper } from '../../src/blobs/sweep/sweeper.ts';
import type { Tx } from '../../src/database/database.ts';
import { Leases } from '../../src/leases/leases.ts';
import { Settings } from '../../src/settings/settings.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { send } from '../support/storage/byte-sources.ts';
import { openSinglePolicy } from '../support/storage/single-policy.ts';
import { WatchedStore } from '../support/storage/watched-store.ts';

const { database } = await openTestDatabase();
const root = await mkdtemp(path.join(tmpdir(), 'holdall-sweeper-'));
after(() => rm(root, { recursive: true, force: true }));

const clock = new TestClock();
const settings = new Settings(clock, systemIds);
const claimed = new Set<string>();
const faults: string[] = [];
let oldestClaim: number | undefined;
let afterClaims = async () => {};

const store = new WatchedStore(root);
const { policies, policyId } = await openSinglePolicy(database, store, clock);
const blobs = new Blobs({ database, clock, ids: systemIds, policies });
const sweeper = new BlobSweeper({
  database,
  policies,
  settings,
  clock,
  graceMs: HOUR,
  uploadSessionTtlMs: DAY,
  claims: [{ findClaimedKeys: (_db, keys) => findClaimed(keys), findOldest: async () => oldestClaim }],
  removalLease: new Leases(database, clock, 'sweeper').forName('remove objects', MINUTE),
  onFault: (_error, doing) => faults.push(doing),
});

afterEach(async () => {
  store.beforeRemoval = async () => {};
  claimed.clear();
  faults.length = 0;
  oldestClaim = undefined;
  afterClaims = async () => {};
  clock.advance(10 * HOUR);
  await sweep();
  store.listed.length = 0;
});

describe('an unreferenced blob', () => {
  it('is removed after the grace time, and not before', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(HOUR - MINUTE);
    assert.equal(await sweep(), 0);
    assert.ok(await store.find(blob.key));
    clock.advance(MINUTE + 1);
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(blob.key), undefined);
    assert.equal(await findBlob(blob.id), undefined);
  });

  it('is removed once the grace time has passed since it lost its last reference', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(50 * MINUTE);
    await addReference(blob.id);
    await dropReference(blob.id);
    clock.advance(50 * MINUTE);
    assert.equal(await sweep(), 0);
    clock.advance(11 * MINUTE);
    assert.equal(await sweep(), 1);
  });

  it('stays when it gets a reference within the grace time', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    await addReference(blob.id);
    clock.advance(5 * HOUR);
    assert.equal(await sweep(), 0);
    assert.equal((await findBlob(blob.id))?.reference_count, 1);
    assert.ok(await store.find(blob.key));
    await dropReference(blob.id);
  });

  it('cannot get a reference once its removal has begun', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(2 * HOUR);
    store.beforeRemoval = async () => {
      await assert.rejects(addReference(blob.id), /just removed/);
    };
    assert.equal(await sweep(), 1);
    assert.equal(await findBlob(blob.id), undefined);
  });

  it('is removed together with many others in one sweep', async () => {
    await recordUnreferenced(520);
    const kept = await storeBlob();
    clock.advance(2 * HOUR);
    assert.equal(await sweep(), 520);
    assert.ok(await store.find(kept.key));
    await dropReference(kept.id);
  });
});

describe('an orphaned object', () => {
  it('is removed once it is older than the grace time', async () => {
    const key = await storeObject();
    clock.advance(HOUR - MINUTE);
    assert.equal(await sweep(), 0);
    clock.advance(2 * MINUTE);
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(key), undefined);
  });

  it('stays while an unfinished upload claims it', async () => {
    const key = await storeObject();
    claimed.add(key);
    clock.advance(5 * HOUR);
    assert.equal(await sweep(), 0);
    assert.ok(await store.find(key));
    claimed.clear();
    assert.equal(await sweep(), 1);
  });

  it('stays if its upload is completed between two queries of the sweep', async () => {
    const key = await storeObject();
    claimed.add(key);
    clock.advance(5 * HOUR);
    let id = 0;
    afterClaims = async () => {
      if (!claimed.delete(key)) return;
      id = await database.transact((tx) => insert(tx, key, Buffer.byteLength(key)));
    };
    assert.equal(await sweep(), 0);
    assert.ok(await store.find(key));
    afterClaims = async () => {};
    await dropReference(id);
  });

  it('is found even if the upload that claimed it began long ago', async () => {
    await sweep();
    const key = await storeObject();
    claimed.add(key);
    oldestClaim = clock.now();
    clock.advance(9 * DAY);
    assert.equal(await sweep(), 0);
    assert.equal(await sweep(), 0);
    claimed.clear();
    oldestClaim = undefined;
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(key), undefined);
  });

  it('is found even if its upload took more than a day', async () => {
    const key = blobs.newKey();
    clock.advance(2 * DAY);
    await sweep();
    await sweep();
    await storeObject(key);
    clock.advance(2 * HOUR);
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(key), undefined);
  });

  it('is found by the first sweep, however old it is', async () => {
    const key = await storeObject();
    await database.transact((tx) => sql`delete from setting where name like 'mark:%'`.execute(tx));
    clock.advance(400 * DAY);
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(key), undefined);
  });

  it('is removed, while objects of blobs stay', async () => {
    const kept = await Promise.all(Array.from({ length: 20 }, () => storeBlob()));
    const orphans = await Promise.all(Array.from({ length: 20 }, () => storeObject()));
    clock.advance(2 * HOUR);
    assert.equal(await sweep(), 20);
    for (const { key } of kept) assert.ok(await store.find(key));
    for (const key of orphans) assert.equal(await store.find(key), undefined);
    for (const { id } of kept) await dropReference(id);
  });

  it('is found after ten days without a sweep', async () => {
    await sweep();
    const key = await storeObject();
    const day = dayOf(clock.now());
    clock.advance(10 * DAY);
    store.listed.length = 0;
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(key), undefined);
    assert.ok(store.listed.includes(`blobs/${day}`));
  });

  it('is not searched for on days that were swept long ago', async () => {
    await sweep();
    clock.advance(20 * DAY);
    await sweep();
    store.listed.length = 0;
    await sweep();
    assert.ok(store.listed.length <= 10, store.listed.join(' '));
    assert.ok(store.listed.includes(`blobs/${dayOf(clock.now())}`));
  });
});

describe('an interrupted sweep', () => {
  it('is completed by the next one if it ended before the bytes were removed', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(2 * HOUR);
    const end = new AbortController();
    store.beforeRemoval = async () => kill(end);
    await assert.rejects(sweeper.sweep(end.signal), /killed/);
    assert.ok((await findBlob(blob.id))?.removing_at, 'its removal has begun');
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 1);
    assert.equal(await findBlob(blob.id), undefined);
    assert.equal(await store.find(blob.key), undefined);
  });

  it('is completed by the next one if it ended before the row was deleted', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(2 * HOUR);
    const end = new AbortController();
    store.beforeRemoval = async (keys) => {
      await LocalDiskStore.prototype.remove.call(store, keys);
      kill(end);
    };
    await assert.rejects(sweeper.sweep(end.signal), /killed/);
    assert.equal(await store.find(blob.key), undefined);
    assert.ok(await findBlob(blob.id));
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 1);
    assert.equal(await findBlob(blob.id), undefined);
  });

  it('ends when its signal is aborted, and the next one removes the rest', async () => {
    const keys = [await storeObject(), await storeObject()];
    clock.advance(2 * HOUR);
    await assert.rejects(sweeper.sweep(AbortSignal.abort(new Error('stopped'))), /stopped/);
    for (const key of keys) assert.ok(await store.find(key));
    assert.equal(await sweep(), 2);
  });
});

describe('a sweep that cannot remove an object', () => {
  it('removes the others, and tries it again the next time', async () => {
    const stuck = await storeBlob();
    await dropReference(stuck.id);
    await recordUnreferenced(520);
    clock.advance(2 * HOUR);
    refuseToRemove(stuck.key);
    assert.equal(await sweep(), 520);
    assert.ok(faults.includes(`remove the object ${stuck.key}`), faults.join('\n'));
    assert.ok(await findBlob(stuck.id));
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(stuck.key), undefined);
  });

  it('still removes orphans and abandoned writes', async () => {
    const stuck = await storeBlob();
    await dropReference(stuck.id);
    const [bad, good] = [await storeObject(), await storeObject()];
    const abandoned = path.join(root, '.incoming', 'abandoned');
    await writeFile(abandoned, 'left');
    await utimes(abandoned, clock.now() / 1_000, clock.now() / 1_000);
    clock.advance(2 * HOUR);
    refuseToRemove(stuck.key, bad);
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(good), undefined);
    assert.ok(!(await readdir(path.dirname(abandoned))).includes('abandoned'));

    // Days later, the sweep still lists the day of the remaining object.
    clock.advance(9 * DAY);
    await sweep();
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 2);
    assert.equal(await store.find(bad), undefined);
  });

  it('ends when nothing at all can be removed', async () => {
    await recordUnreferenced(520);
    clock.advance(2 * HOUR);
    store.beforeRemoval = () => Promise.reject(new Error('unavailable'));
    assert.equal(await sweep(), 0);
    assert.equal(faults.length, 500);
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 520);
  });
});

describe('an abandoned write', () => {
  it('is removed when it was not changed for the grace time', async () => {
    const incoming = path.join(root, '.incoming');
    await mkdir(incoming, { recursive: true });
    const seconds = clock.now() / 1_000;
    for (const [name, ageSeconds] of [
      ['old', 3_700],
      ['young', 3_500],
    ] as const) {
      await writeFile(path.join(incoming, name), 'left');
      await utimes(path.join(incoming, name), seconds - ageSeconds, seconds - ageSeconds);
    }
    await sweep();
    assert.deepEqual(await readdir(incoming), ['young']);
  });
});

function kill(end: AbortController): never {
  end.abort(new Error('killed'));
  throw new Error('the store was closed');
}

function refuseToRemove(...stuck: readonly string[]): void {
  store.beforeRemoval = async (keys) => {
    if (keys.some((key) => stuck.includes(key))) throw new Error('it cannot be removed');
  };
}

function sweep(): Promise<number> {
  return sweeper.sweep(new AbortController().signal);
}

/** Stores an object, dated by the test clock. */
async function storeObject(key = blobs.newKey()): Promise<string> {
  await store.write(key, send(Buffer.from(key)));
  const seconds = clock.now() / 1_000;
  await utimes(store.pathOf(key), seconds, seconds);
  return key;
}

async function storeBlob(): Promise<{ id: number; key: string }> {
  const key = await storeObject();
  const id = await database.transact((tx) => insert(tx, key, Buffer.byteLength(key)));
  return { id, key };
}

function insert(tx: Tx, objectKey: string, size: number): Promise<number> {
  const fixed = { kind: 'FILE', sha256: null, crc32: null, contentType: null, createdBy: 1 } as const;
  return blobs.insert(tx, { ...fixed, policyId, objectKey, size });
}

/** Records blobs without bytes, as an interrupted sweep leaves them. */
function recordUnreferenced(count: number): Promise<void> {
  return database.transact(async (tx) => {
    for (let number = 0; number < count; number += 1) {
      await blobs.dropReference(tx, await insert(tx, blobs.newKey(), 0));
    }
  });
}

function addReference(blobId: number): Promise<void> {
  return database.transact((tx) =>
    blobs.addReferences(
      tx,
      tx
        .selectFrom('blob')
        .where('id', '=', blobId)
        .select(['id as blob_id', sql<number>`1`.as('uses')]),
    ),
  );
}

function dropReference(blobId: number): Promise<void> {
  return database.transact((tx) => blobs.dropReference(tx, blobId));
}

function findBlob(id: number) {
  return database.db.selectFrom('blob').selectAll().where('id', '=', id).executeTakeFirst();
}

async function findClaimed(keys: readonly string[]): Promise<readonly string[]> {
  const found = keys.filter((key) => claimed.has(key));
  await afterClaims();
  return found;
}
