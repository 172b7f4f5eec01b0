// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { systemIds } from '../../src/base/ids.ts';
import { Blobs } from '../../src/blobs/blobs.ts';
import { ChecksumPass, type UncheckedBlob } from '../../src/blobs/checksums.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { digestOf, send } from '../support/storage/byte-sources.ts';
import { openSinglePolicy } from '../support/storage/single-policy.ts';
import { MIB } from '../support/storage/store-assertions.ts';

const { database, openSecondHandle } = await openTestDatabase();
const root = await mkdtemp(path.join(tmpdir(), 'holdall-checksums-'));
after(() => rm(root, { recursive: true, force: true }));

const clock = new TestClock();
const store = new LocalDiskStore(root);
const { policies, policyId } = await openSinglePolicy(database, store, clock);
const blobs = new Blobs({ database, clock, ids: systemIds, policies });
const faults: string[] = [];
const opened: number[] = [];
/** Awaited before bytes are opened, so that a test can change something at that moment. */
let meanwhile: (blob: UncheckedBlob) => Promise<void> = async () => {};

const newPass = (on = database) =>
  new ChecksumPass({
    database: on,
    open: async (blob) => {
      opened.push(blob.id);
      await meanwhile(blob);
      return store.open(blob.objectKey);
    },
    onFault: (error, doing) => faults.push(`${doing}: ${error}`),
  });
const run = () => newPass().run(new AbortController().signal);

afterEach(async () => {
  meanwhile = async () => {};
  faults.length = 0;
  opened.length = 0;
  await database.transact((tx) => sql`delete from blob`.execute(tx));
});

describe('a pass over blobs without checksums', () => {
  it('records the checksums, oldest blob first, and then has nothing to do', async () => {
    const contents = [Buffer.alloc(0), Buffer.from('one'), randomBytes(3 * MIB + 1)];
    const ids: number[] = [];
    for (const bytes of contents) ids.push(await storeUnchecked(bytes));
    assert.equal(await run(), 3);
    assert.deepEqual(opened, ids);
    for (const [index, bytes] of contents.entries()) {
      const { sha256, crc32 } = digestOf(bytes);
      assert.deepEqual(await checksumsOf(ids[index] ?? 0), { sha256, crc32 });
    }
    assert.equal(await run(), 0);
    assert.deepEqual([opened.length, faults], [3, []]);
  });

  it('skips blobs that have checksums', async () => {
    const known = { sha256: 'a'.repeat(64), crc32: 7 };
    const id = await insert('blobs/known', 3, known);
    assert.equal(await run(), 0);
    assert.deepEqual(await checksumsOf(id), known);
  });

  it('skips blobs that are being removed', async () => {
    const id = await storeUnchecked(Buffer.from('going'));
    await beginRemoval(id);
    assert.equal(await run(), 0);
    assert.deepEqual(opened, []);
  });

  it('includes unreferenced blobs, which may get a reference again', async () => {
    const id = await storeUnchecked(Buffer.from('waiting'));
    await database.transact((tx) => blobs.dropReference(tx, id));
    assert.equal(await run(), 1);
  });

  it('records a checksum only once when two instances compute it at the same time', async () => {
    const ids = [await storeUnchecked(Buffer.from('one')), await storeUnchecked(Buffer.from('two'))];
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    meanwhile = async () => {
      waiting += 1;
      if (waiting === 2) both.resolve();
      await both.promise;
    };
    const { signal } = new AbortController();
    const counts = await Promise.all([newPass().run(signal), newPass(openSecondHandle()).run(signal)]);
    assert.equal(counts[0] + counts[1], 2);
    assert.deepEqual(await checksumsOf(ids[0] ?? 0), pick(digestOf(Buffer.from('one'))));
    assert.deepEqual(await checksumsOf(ids[1] ?? 0), pick(digestOf(Buffer.from('two'))));
    assert.deepEqual(faults, []);
  });
});

describe('a pass that cannot read a blob', () => {
  it('reports missing bytes, continues with the others, and tries again the next time', async () => {
    const missing = await insert('blobs/missing', 10);
    const good = await storeUnchecked(Buffer.from('good'));
    assert.equal(await run(), 1);
    assert.match(faults.join('\n'), /^take the checksums of blobs\/missing: .*no object blobs\/missing/);
    assert.deepEqual(await checksumsOf(missing), { sha256: null, crc32: null });
    assert.deepEqual(await checksumsOf(good), pick(digestOf(Buffer.from('good'))));
    await store.write('blobs/missing', send(Buffer.from('came later')));
    assert.equal(await run(), 1);
    assert.equal(faults.length, 1);
  });

  for (const [length, said] of [
    [9, /only 9 bytes, and its record says 10/],
    [11, /more bytes, and its record says 10/],
    [2 * MIB, /more bytes, and its record says 10/],
  ] as const) {
    it(`records nothing for an object of ${length} bytes whose record says 10`, async () => {
      await store.write('blobs/length', send(Buffer.alloc(length)));
      const id = await insert('blobs/length', 10);
      assert.equal(await run(), 0);
      assert.match(faults.join('\n'), said);
      assert.deepEqual(await checksumsOf(id), { sha256: null, crc32: null });
    });
  }

  it('reports a stream that fails', async () => {
    const id = await insert('blobs/broken', 10);
    const pass = new ChecksumPass({
      database,
      open: async () =>
        Readable.from(
          (async function* () {
            yield Buffer.alloc(5);
            throw new Error('the disk is gone');
          })(),
        ),
      onFault: (error) => faults.push(String(error)),
    });
    assert.equal(await pass.run(new AbortController().signal), 0);
    assert.deepEqual(faults, ['Error: the disk is gone']);
    assert.deepEqual(await checksumsOf(id), { sha256: null, crc32: null });
  });

  it('reports nothing when the sweeper has just removed the blob', async () => {
    await storeUnchecked(Buffer.from('purged'));
    meanwhile = async ({ id, objectKey }) => {
      await beginRemoval(id);
      await store.remove([objectKey]);
      await database.transact((tx) => sql`delete from blob where id = ${id}`.execute(tx));
    };
    assert.equal(await run(), 0);
    assert.deepEqual(faults, []);
  });

  it('records nothing when the removal of the blob begins while it is read', async () => {
    const id = await storeUnchecked(Buffer.from('purged'));
    meanwhile = (blob) => beginRemoval(blob.id);
    assert.equal(await run(), 0);
    assert.deepEqual([faults, await checksumsOf(id)], [[], { sha256: null, crc32: null }]);
  });
});

describe('a pass that is stopped', () => {
  it('while it reads an object closes the object without a checksum, and keeps earlier checksums', async () => {
    const first = await storeUnchecked(Buffer.from('first'));
    const second = await insert('blobs/silent', 10);
    const silent = new PassThrough();
    silent.write(Buffer.alloc(5));
    const end = new AbortController();
    const pass = new ChecksumPass({
      database,
      open: async ({ id, objectKey }) => {
        if (id !== second) return store.open(objectKey);
        setImmediate(() => end.abort(new Error('stopped')));
        return silent;
      },
      onFault: (error) => faults.push(String(error)),
    });
    await assert.rejects(pass.run(end.signal), /stopped/);
    assert.equal(silent.destroyed, true);
    assert.deepEqual(await checksumsOf(first), pick(digestOf(Buffer.from('first'))));
    assert.deepEqual([faults, await checksumsOf(second)], [[], { sha256: null, crc32: null }]);
  });

  it('before it begins opens nothing', async () => {
    await storeUnchecked(Buffer.from('untouched'));
    await assert.rejects(newPass().run(AbortSignal.abort(new Error('stopped'))), /stopped/);
    assert.deepEqual(opened, []);
  });
});

it('the event loop is not blocked while a large object is hashed', inFull, async () => {
  await storeUnchecked(randomBytes(48 * MIB));
  let turns = 0;
  let isDone = false;
  const countTurn = () => {
    turns += 1;
    if (!isDone) setImmediate(countTurn);
  };
  countTurn();
  assert.equal(await run(), 1);
  isDone = true;
  // At least one turn of the event loop per 256 KiB.
  assert.ok(turns >= 48 * 4, `${turns} turns`);
});

async function storeUnchecked(bytes: Uint8Array): Promise<number> {
  const key = blobs.newKey();
  await store.write(key, send(bytes));
  return await insert(key, bytes.byteLength);
}

function insert(
  objectKey: string,
  size: number,
  checksums: { sha256: string | null; crc32: number | null } = { sha256: null, crc32: null },
): Promise<number> {
  const fixed = { kind: 'FILE', contentType: null, createdBy: 1 } as const;
  return database.transact((tx) => blobs.insert(tx, { ...fixed, ...checksums, policyId, objectKey, size }));
}

/** Marks a blob for removal as the sweeper does. */
async function beginRemoval(id: number): Promise<void> {
  await database.transact(async (tx) => {
    await sql`update blob set reference_count = 0, unreferenced_at = 1, removing_at = 2 where id = ${id}`.execute(
      tx,
    );
  });
}

function checksumsOf(id: number) {
  return database.db.selectFrom('blob').select(['sha256', 'crc32']).where('id', '=', id).executeTakeFirst();
}

function pick({ sha256, crc32 }: { sha256: string; crc32: number }) {
  return { sha256, crc32 };
}
