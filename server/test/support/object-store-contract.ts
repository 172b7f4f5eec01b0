import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../src/base/clock.ts';
import { Failure, type FailureKind } from '../../src/base/failure.ts';
import type { ByteRange, ObjectStore, StoredObject } from '../../src/storage/object-store.ts';
import { cut, digestOf, send, WatchedSource } from './byte-sources.ts';

export interface StoreUnderTest {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

type GetStore = () => ObjectStore;

const MIB = 1024 * 1024;

/** What every store promises. `makeStore` gives an empty one; every test keeps to keys of its own. */
export function describeObjectStore(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`an object store on ${name}`, () => {
    let underTest: StoreUnderTest;
    before(async () => {
      underTest = await makeStore();
    });
    after(() => underTest.close());

    const getStore = () => underTest.store;
    describe('writing', () => testWrites(getStore));
    describe('writing that fails', () => testFailedWrites(getStore));
    describe('reading', () => testReads(getStore));
    describe('listing', () => testListings(getStore));
    describe('removing', () => testRemovals(getStore));
    describe('keys', () => testKeys(getStore));
    it('finds itself in order', () => getStore().check());
    it('shows nothing of its own checks', async () => {
      await getStore().check();
      const keys = (await listAll(getStore(), '')).map((object) => object.key);
      assert.deepEqual(
        keys.filter((key) => !key.startsWith('test/')),
        [],
      );
    });
  });
}

function testWrites(getStore: GetStore): void {
  it('gives back what was written and tells its digest', async () => {
    const bytes = randomBytes(4_096);
    assert.deepEqual(await getStore().write('test/write/small', send(bytes)), digestOf(bytes));
    assert.deepEqual(await readAll(getStore(), 'test/write/small'), bytes);
  });

  it('keeps an empty object', async () => {
    assert.deepEqual(await getStore().write('test/write/empty', send()), digestOf());
    assert.equal((await readAll(getStore(), 'test/write/empty')).length, 0);
    assert.equal((await getStore().find('test/write/empty'))?.size, 0);
  });

  it('keeps an object of many megabytes that came in many chunks', async () => {
    const bytes = randomBytes(20 * MIB + 12_345);
    const chunks = cut(
      bytes,
      Array.from({ length: 320 }, (_, index) => index * 65_536),
    );
    assert.deepEqual(await getStore().write('test/write/large', send(...chunks)), digestOf(bytes));
    assert.ok((await readAll(getStore(), 'test/write/large')).equals(bytes));
  });

  it('takes a stream as well as an iterable', async () => {
    const bytes = randomBytes(300_000);
    await getStore().write('test/write/stream', Readable.from(cut(bytes, [1, 100_000])));
    assert.ok((await readAll(getStore(), 'test/write/stream')).equals(bytes));
  });

  it('keeps the same bytes and digest however they are cut', async () => {
    const bytes = randomBytes(2 * MIB);
    const places = fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length }), places, async (size, found) => {
        const whole = bytes.subarray(0, size);
        const chunks = cut(
          whole,
          found.map((place) => Math.min(place, size)),
        );
        assert.deepEqual(await getStore().write('test/write/cut', send(...chunks)), digestOf(whole));
        assert.ok((await readAll(getStore(), 'test/write/cut')).equals(whole));
      }),
      { numRuns: 25 },
    );
  });

  it('keeps an object of thousands of tiny chunks', async () => {
    const bytes = randomBytes(5_000);
    const chunks = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    assert.deepEqual(await getStore().write('test/write/tiny', send(...chunks)), digestOf(bytes));
    assert.deepEqual(await readAll(getStore(), 'test/write/tiny'), bytes);
  });

  it('replaces an object that was there', async () => {
    await getStore().write('test/write/again', send(Buffer.from('the older and longer one')));
    await getStore().write('test/write/again', send(Buffer.from('newer')));
    assert.equal((await readAll(getStore(), 'test/write/again')).toString(), 'newer');
  });

  it('shows nothing before all bytes have come', async () => {
    const wait = Promise.withResolvers<void>();
    const source = new WatchedSource([randomBytes(MIB)], () => wait.promise);
    const writing = getStore().write('test/write/late', source);
    await source.taken.promise;
    assert.equal(await getStore().find('test/write/late'), undefined);
    assert.deepEqual(await listAll(getStore(), 'test/write/late'), []);
    wait.resolve();
    await writing;
    assert.equal((await getStore().find('test/write/late'))?.size, MIB);
  });

  it('lets one of many writers to the same key win whole', async () => {
    const versions = Array.from({ length: 8 }, (_, index) => Buffer.alloc(100_000 + index, index));
    await Promise.all(versions.map((bytes) => getStore().write('test/write/contested', send(bytes))));
    const found = await readAll(getStore(), 'test/write/contested');
    assert.ok(versions.some((bytes) => bytes.equals(found)));
  });

  it('takes exactly as many bytes as are allowed', async () => {
    const written = await getStore().write('test/write/exact', send(Buffer.alloc(6), Buffer.alloc(4)), {
      maxBytes: 10,
    });
    assert.equal(written.size, 10);
  });
}

function testFailedWrites(getStore: GetStore): void {
  const tooMany = { maxBytes: 10, overLimitMessage: 'Ten is enough.' };

  it('stops at the first byte too many, and ends the source', async () => {
    const source = new WatchedSource([Buffer.alloc(6), Buffer.alloc(5), Buffer.alloc(1)]);
    const failure = await failureOf(getStore().write('test/fail/long', source, tooMany));
    assert.deepEqual([failure.kind, failure.message], ['over-limit', 'Ten is enough.']);
    assert.equal(source.isEnded, true);
    await assertMissing(getStore(), 'test/fail/long');
  });

  it('stops at the first byte too many of a large object', async () => {
    const source = new WatchedSource(Array(100).fill(Buffer.alloc(65_536)));
    const writing = getStore().write('test/fail/large', source, { ...tooMany, maxBytes: 5 * MIB });
    assert.equal((await failureOf(writing)).kind, 'over-limit');
    assert.equal(source.isEnded, true);
    await assertMissing(getStore(), 'test/fail/large');
  });

  it('leaves the object that was there when its replacement fails', async () => {
    await getStore().write('test/fail/kept', send(Buffer.from('kept')));
    await failureOf(getStore().write('test/fail/kept', send(Buffer.alloc(11)), tooMany));
    assert.equal((await readAll(getStore(), 'test/fail/kept')).toString(), 'kept');
  });

  for (const size of [0, 10, 3 * MIB]) {
    it(`passes on what a source throws after ${size} bytes`, async () => {
      const fault = new Error('the client is gone');
      const source = new WatchedSource([Buffer.alloc(size)], () => Promise.reject(fault));
      await assert.rejects(getStore().write('test/fail/thrown', source), (error) => error === fault);
      await assertMissing(getStore(), 'test/fail/thrown');
    });

    it(`ends when the signal comes while the source is silent after ${size} bytes`, async () => {
      const abort = new AbortController();
      const source = new WatchedSource([Buffer.alloc(size)], () => new Promise(() => {}));
      const writing = getStore().write('test/fail/silent', source, { signal: abort.signal });
      await source.taken.promise;
      const reason = new Error('enough');
      abort.abort(reason);
      await assert.rejects(writing, (error) => error === reason);
      await assertMissing(getStore(), 'test/fail/silent');
    });
  }

  it('does not begin after the signal has come', async () => {
    const source = new PassThrough();
    const writing = getStore().write('test/fail/before', source, { signal: AbortSignal.abort() });
    await assert.rejects(writing, { name: 'AbortError' });
    assert.equal(source.destroyed, true);
    await assertMissing(getStore(), 'test/fail/before');
  });

  it('destroys a silent stream when the signal comes', async () => {
    const abort = new AbortController();
    const source = new PassThrough();
    source.write(Buffer.alloc(10));
    const writing = getStore().write('test/fail/stream', source, { signal: abort.signal });
    setImmediate(() => abort.abort());
    await assert.rejects(writing, { name: 'AbortError' });
    assert.equal(source.destroyed, true);
    await assertMissing(getStore(), 'test/fail/stream');
  });

  it('fails when the stream breaks off', async () => {
    const source = new PassThrough();
    source.write(randomBytes(1_000));
    const writing = getStore().write('test/fail/broken', source);
    setImmediate(() => source.destroy());
    await assert.rejects(writing, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
    await assertMissing(getStore(), 'test/fail/broken');
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    await getStore().write('test/fail/listener', send(Buffer.alloc(10)), { signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    await failureOf(getStore().write('test/fail/listener', send(Buffer.alloc(11)), { ...tooMany, signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
}

function testReads(getStore: GetStore): void {
  const bytes = randomBytes(MIB + 7);
  const key = 'test/read/object';
  before(async () => {
    await getStore().write(key, send(bytes));
  });

  const ranges: readonly ByteRange[] = [
    { start: 0, end: 0 },
    { start: 0, end: bytes.length - 1 },
    { start: 1, end: 10 },
    { start: 262_143, end: 262_144 },
    { start: bytes.length - 1, end: bytes.length - 1 },
  ];
  for (const range of ranges) {
    it(`gives the bytes ${range.start}-${range.end}, both included`, async () => {
      const expected = bytes.subarray(range.start, range.end + 1);
      assert.ok((await readAll(getStore(), key, range)).equals(expected));
      assert.ok((await getStore().read(key, range)).equals(expected));
    });
  }

  it('gives any range', async () => {
    const place = fc.nat({ max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const range = { start: Math.min(one, other), end: Math.max(one, other) };
        const expected = bytes.subarray(range.start, range.end + 1);
        assert.ok((await readAll(getStore(), key, range)).equals(expected));
      }),
      { numRuns: 25 },
    );
  });

  const outside: readonly ByteRange[] = [
    { start: 0, end: bytes.length },
    { start: bytes.length, end: bytes.length + 5 },
    { start: 5, end: 4 },
    { start: -1, end: 4 },
  ];
  for (const range of outside) {
    it(`gives no fewer bytes than ${range.start}-${range.end}, but an error`, async () => {
      await assert.rejects(getStore().open(key, range));
      await assert.rejects(getStore().read(key, range));
    });
  }

  it('says not-found of a missing object before there is a stream', async () => {
    const range = { start: 0, end: 0 };
    for (const missing of ['test/read/nothing', 'test/read', `${key}/below`, 'test/other/nothing']) {
      assert.equal((await failureOf(getStore().open(missing))).kind, 'not-found');
      assert.equal((await failureOf(getStore().open(missing, range))).kind, 'not-found');
      assert.equal((await failureOf(getStore().read(missing, range))).kind, 'not-found');
      assert.equal(await getStore().find(missing), undefined);
    }
  });

  it('tells key, size and time of an object', async () => {
    const begun = systemClock.now();
    await getStore().write('test/read/found', send(Buffer.alloc(42)));
    const found = await getStore().find('test/read/found');
    assert.ok(found !== undefined);
    assert.deepEqual([found.key, found.size], ['test/read/found', 42]);
    // Stores keep whole seconds, or have a clock of their own on the same machine.
    assert.ok(Number.isInteger(found.modifiedAt) && Math.abs(found.modifiedAt - begun) < 5_000);
  });

  it('can be left in the middle', async () => {
    const left = await getStore().open(key);
    for await (const _chunk of left) break;
    await closed(left);
    const unread = await getStore().open(key);
    unread.destroy();
    await closed(unread);
  });

  it('goes on reading an object that is replaced or removed meanwhile, or fails', async () => {
    const old = Buffer.alloc(8 * MIB, 1);
    await getStore().write('test/read/replaced', send(old));
    const stream = await getStore().open('test/read/replaced');
    await getStore().write('test/read/replaced', send(Buffer.alloc(8 * MIB, 2)));
    await getStore().remove(['test/read/replaced']);
    const found = await buffer(stream).catch(() => undefined);
    assert.ok(found === undefined || found.equals(old));
  });
}

function testListings(getStore: GetStore): void {
  const keys = ['a/1', 'a/2', 'a/b/3', 'a/b/c/d/4', 'ab/5', 'a-b/6', 'c'].map((key) => `test/list/${key}`);
  before(async () => {
    for (const key of keys) await getStore().write(key, send(Buffer.from(key)));
  });

  const cases = [
    ['test/list', keys],
    ['test/list/a', keys.slice(0, 4)],
    ['test/list/a/b', keys.slice(2, 4)],
    ['test/list/c', keys.slice(6)],
    ['test/list/x', []],
    ['test/list/a/1/x', []],
  ] as const;
  for (const [prefix, expected] of cases) {
    it(`lists ${expected.length} objects under ${prefix}`, async () => {
      const found = await listAll(getStore(), prefix);
      assert.deepEqual(found.map((object) => object.key).toSorted(), expected.toSorted());
    });
  }

  it('lists everything under the empty prefix', async () => {
    const found = (await listAll(getStore(), '')).map((object) => object.key);
    assert.deepEqual(
      keys.filter((key) => !found.includes(key)),
      [],
    );
  });

  it('tells the same of an object as find does', async () => {
    for (const object of await listAll(getStore(), 'test/list')) {
      assert.deepEqual(await getStore().find(object.key), object);
    }
  });

  it('lists more objects than a page of any store holds', async () => {
    const many = Array.from({ length: 1_100 }, (_, index) => `test/many/${index % 7}/${index}`);
    await forEachOf(many, 16, (key) => getStore().write(key, send(Buffer.of(1))));
    assert.equal((await listAll(getStore(), 'test/many')).length, many.length);
    await getStore().remove(many);
    assert.deepEqual(await listAll(getStore(), 'test/many'), []);
  });

  it('can be left in the middle', async () => {
    for await (const _object of getStore().list('test/list')) break;
  });

  it('lets what it lists be removed on the way', async () => {
    const passing = Array.from({ length: 40 }, (_, index) => `test/passing/${index % 4}/${index}`);
    for (const key of passing) await getStore().write(key, send(Buffer.of(1)));
    for await (const object of getStore().list('test/passing')) await getStore().remove([object.key]);
    assert.deepEqual(await listAll(getStore(), 'test/passing'), []);
  });
}

function testRemovals(getStore: GetStore): void {
  it('removes what it is told, and nothing else', async () => {
    for (const name of ['one', 'two', 'three']) await getStore().write(`test/remove/${name}`, send());
    await getStore().remove(['test/remove/one', 'test/remove/three']);
    assert.deepEqual(
      (await listAll(getStore(), 'test/remove')).map((object) => object.key),
      ['test/remove/two'],
    );
  });

  it('removes nothing without an error', async () => {
    await getStore().remove([]);
    await getStore().remove(['test/remove/never', 'test/none/of/these', 'test/remove/never']);
  });

  it('does not take the leading segments of a key for an object', async () => {
    await getStore().write('test/leading/segment/object', send());
    await getStore().remove(['test/leading', 'test/leading/segment']);
    assert.ok(await getStore().find('test/leading/segment/object'));
  });

  it('lets a key be written again', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await getStore().write('test/again/and/again', send(Buffer.alloc(round)));
      assert.equal((await getStore().find('test/again/and/again'))?.size, round);
      await getStore().remove(['test/again/and/again']);
      await assertMissing(getStore(), 'test/again/and/again');
    }
  });

  it('never makes a write fail that goes on beside it', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `test/beside/${index % 3}/${index}`);
    await forEachOf(names, 16, async (key) => {
      await getStore().write(key, send(Buffer.from(key)));
      assert.equal((await readAll(getStore(), key)).toString(), key);
      await getStore().remove([key]);
    });
    assert.deepEqual(await listAll(getStore(), 'test/beside'), []);
  });

  it('leaves a running write alone when it cleans up after abandoned ones', async () => {
    const wait = Promise.withResolvers<void>();
    const source = new WatchedSource([randomBytes(MIB)], () => wait.promise);
    const writing = getStore().write('test/running', source);
    await source.taken.promise;
    await getStore().removeAbandonedWrites(systemClock.now() - 60_000);
    wait.resolve();
    assert.equal((await writing).size, MIB);
    assert.equal((await getStore().find('test/running'))?.size, MIB);
  });
}

function testKeys(getStore: GetStore): void {
  for (const key of ['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.incoming/a', 'a b', 'ä', 'a'.repeat(513)]) {
    it(`refuses ${JSON.stringify(key.slice(0, 20))} everywhere`, async () => {
      const source = new PassThrough();
      await assertOwnFault(getStore().write(key, source));
      assert.equal(source.destroyed, true);
      await assertOwnFault(getStore().open(key));
      await assertOwnFault(getStore().read(key, { start: 0, end: 0 }));
      await assertOwnFault(getStore().find(key));
      await assertOwnFault(getStore().remove([key]));
      if (key !== '') await assertOwnFault(listAll(getStore(), key));
    });
  }
}

/** A bad key or range is no message for a caller. */
async function assertOwnFault(answer: Promise<unknown>): Promise<void> {
  await assert.rejects(answer, (error) => error instanceof Error && !(error instanceof Failure));
}

async function assertMissing(store: ObjectStore, key: string): Promise<void> {
  assert.equal(await store.find(key), undefined);
  assert.equal((await failureOf(store.open(key))).kind, 'not-found' satisfies FailureKind);
  assert.deepEqual(await listAll(store, key), []);
}

async function failureOf(answer: Promise<unknown>): Promise<Failure> {
  const error = await answer.then(
    () => assert.fail('nothing failed'),
    (reason) => reason,
  );
  assert.ok(error instanceof Failure, `not a Failure: ${error}`);
  return error;
}

async function readAll(store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> {
  return await buffer(await store.open(key, range));
}

async function closed(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
}

async function listAll(store: ObjectStore, prefix: string): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const object of store.list(prefix)) found.push(object);
  return found;
}

async function forEachOf<T>(
  all: readonly T[],
  atOnce: number,
  act: (each: T) => Promise<unknown>,
): Promise<void> {
  const waiting = all.values();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const each of waiting) await act(each);
  });
  await Promise.all(workers);
}
