import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '../src/base/clock.ts';
import { systemIds } from '../src/base/ids.ts';
import { Blobs } from '../src/blobs/blobs.ts';
import { dayOf } from '../src/blobs/object-key.ts';
import { BlobSweeper } from '../src/blobs/sweeper.ts';
import type { Tx } from '../src/database/database.ts';
import { Settings } from '../src/settings/settings.ts';
import { LocalDiskStore } from '../src/storage/local-disk.ts';
import { send } from './support/byte-sources.ts';
import { openTestDatabase } from './support/open-database.ts';
import { TestClock } from './support/test-clock.ts';

const { database } = await openTestDatabase();
const root = await mkdtemp(path.join(tmpdir(), 'holdall-sweeper-'));
after(() => rm(root, { recursive: true, force: true }));

const clock = new TestClock();
const blobs = new Blobs(clock, systemIds);
const settings = new Settings(clock, systemIds);
const claimed = new Set<string>();

/** A store whose removals a test can watch and break. */
class WatchedStore extends LocalDiskStore {
  beforeRemoval: (keys: readonly string[]) => Promise<void> = async () => {};
  readonly listed: string[] = [];

  override async remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.beforeRemoval(keys);
    await super.remove(keys);
  }

  override list(prefix: string) {
    this.listed.push(prefix);
    return super.list(prefix);
  }
}

const store = new WatchedStore(root);
const sweeper = new BlobSweeper({
  database,
  store,
  settings,
  clock,
  graceMs: HOUR,
  findClaimed: async (_db, keys) => keys.filter((key) => claimed.has(key)),
});

afterEach(async () => {
  store.beforeRemoval = async () => {};
  claimed.clear();
  clock.advance(10 * HOUR);
  await sweep();
  store.listed.length = 0;
});

describe('a blob that nothing refers to', () => {
  it('keeps its bytes for the grace time, and loses them after it', async () => {
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

  it('waits for the grace time since the last reference, not the one before', async () => {
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

  it('stays when it is referred to again within the grace time', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    await addReference(blob.id);
    clock.advance(5 * HOUR);
    assert.equal(await sweep(), 0);
    assert.equal((await findBlob(blob.id))?.reference_count, 1);
    assert.ok(await store.find(blob.key));
    await dropReference(blob.id);
  });

  it('cannot be referred to once its removal has begun', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(2 * HOUR);
    store.beforeRemoval = async () => {
      await assert.rejects(addReference(blob.id), /check/i);
    };
    assert.equal(await sweep(), 1);
    assert.equal(await findBlob(blob.id), undefined);
  });

  it('is one of many that go in one sweep', async () => {
    await database.transact(async (tx) => {
      for (let number = 0; number < 520; number += 1) {
        await blobs.dropReference(tx, await insert(tx, blobs.newKey(), 0));
      }
    });
    const kept = await storeBlob();
    clock.advance(2 * HOUR);
    assert.equal(await sweep(), 520);
    assert.ok(await store.find(kept.key));
    await dropReference(kept.id);
  });
});

describe('an object that no transaction took', () => {
  it('stays while it is younger than the grace time, and goes after it', async () => {
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

  it('goes while those of blobs beside it stay', async () => {
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

  it('is looked for on the first day of a service whose clock stood elsewhere', async () => {
    const key = await storeObject();
    await database.transact((tx) => sql`delete from setting where name like 'mark:%'`.execute(tx));
    clock.advance(9 * DAY);
    assert.equal(await sweep(), 1);
    assert.equal(await store.find(key), undefined);
  });

  it('costs no look at days that were swept long ago', async () => {
    await sweep();
    clock.advance(5 * DAY);
    await sweep();
    store.listed.length = 0;
    await sweep();
    assert.ok(store.listed.length <= 3, store.listed.join(' '));
    assert.ok(store.listed.includes(`blobs/${dayOf(clock.now())}`));
  });
});

describe('a sweep that is cut off', () => {
  it('before the bytes are removed is taken up by the next', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(2 * HOUR);
    store.beforeRemoval = () => Promise.reject(new Error('killed'));
    await assert.rejects(sweep(), /killed/);
    assert.ok((await findBlob(blob.id))?.removing_at, 'its removal has begun');
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 1);
    assert.equal(await findBlob(blob.id), undefined);
    assert.equal(await store.find(blob.key), undefined);
  });

  it('between the bytes and the row is taken up by the next', async () => {
    const blob = await storeBlob();
    await dropReference(blob.id);
    clock.advance(2 * HOUR);
    store.beforeRemoval = async (keys) => {
      await LocalDiskStore.prototype.remove.call(store, keys);
      throw new Error('killed');
    };
    await assert.rejects(sweep(), /killed/);
    assert.equal(await store.find(blob.key), undefined);
    assert.ok(await findBlob(blob.id));
    store.beforeRemoval = async () => {};
    assert.equal(await sweep(), 1);
    assert.equal(await findBlob(blob.id), undefined);
  });

  it('by its signal ends, and the next does the rest', async () => {
    const keys = [await storeObject(), await storeObject()];
    clock.advance(2 * HOUR);
    await assert.rejects(sweeper.sweep(AbortSignal.abort(new Error('stopped'))), /stopped/);
    for (const key of keys) assert.ok(await store.find(key));
    assert.equal(await sweep(), 2);
  });
});

describe('what cut-off writes left', () => {
  it('goes when nobody has touched it for the grace time', async () => {
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

function sweep(): Promise<number> {
  return sweeper.sweep(new AbortController().signal);
}

/** An object as old as the clock says. */
async function storeObject(): Promise<string> {
  const key = blobs.newKey();
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
  return blobs.insert(tx, { ...fixed, objectKey, size });
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
