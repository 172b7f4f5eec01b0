import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { inFull } from '../../../../../tools/testing/tiers.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { mapConcurrently } from '../../../../src/base/concurrency/map-concurrently.ts';
import type { ObjectStore } from '../../../../src/storage/object-store.ts';
import { send, WatchedSource } from '../byte-sources.ts';
import {
  assertMissing,
  assertPlainError,
  claimNothing,
  failureOf,
  type GetStore,
  listAll,
  MIB,
  readAll,
} from '../store-assertions.ts';
import { testInterruptedPieces } from './object-store-interruptions.ts';
import { testReads } from './object-store-reads.ts';
import { testPieceEnds, testPieces } from './object-store-resumable.ts';
import { testFailedWrites, testWrites } from './object-store-writes.ts';

export interface StoreUnderTest {
  readonly store: ObjectStore;
  /** Opens another instance of the same store, as after a restart. */
  reopen(): ObjectStore;
  close(): Promise<void>;
}

/** Tests what every store promises. `makeStore` opens an empty store; each test uses its own keys. */
export function describeObjectStore(name: string, makeStore: () => Promise<StoreUnderTest>): void {
  describe(`an object store on ${name}`, () => {
    let underTest: StoreUnderTest;
    before(async () => {
      underTest = await makeStore();
    });
    after(() => underTest.close());

    const getStore = () => underTest.store;
    describe('writing', () => testWrites(getStore));
    describe('failed writes', () => testFailedWrites(getStore));
    describe('reading', () => testReads(getStore));
    describe('listing', () => testListings(getStore));
    const reopen = () => underTest.reopen();
    describe('resumable writes', () => testPieces(getStore, reopen));
    describe('interrupted resumable writes', () => testInterruptedPieces(getStore, reopen));
    describe('finishing and aborting resumable writes', () => testPieceEnds(getStore, reopen));
    describe('copying', () => testCopies(getStore));
    describe('removing', () => testRemovals(getStore));
    describe('keys', () => testKeys(getStore));
    it('passes its check', () => getStore().check());
    it('does not list the probes of its check', async () => {
      await getStore().check();
      const keys = (await listAll(getStore(), '')).map((object) => object.key);
      assert.deepEqual(
        keys.filter((key) => !key.startsWith('test/')),
        [],
      );
    });
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
    it(`lists ${expected.length} objects under ${prefix}, sorted by key`, async () => {
      const found = await listAll(getStore(), prefix);
      assert.deepEqual(
        found.map((object) => object.key),
        expected.toSorted(),
      );
    });
  }

  it('lists all objects under the empty prefix', async () => {
    const found = (await listAll(getStore(), '')).map((object) => object.key);
    assert.deepEqual(
      keys.filter((key) => !found.includes(key)),
      [],
    );
  });

  it('lists an object with the same size and time as find()', async () => {
    for (const object of await listAll(getStore(), 'test/list')) {
      assert.deepEqual(await getStore().find(object.key), object);
    }
  });

  it('lists more objects than fit in one page', async () => {
    const many = Array.from({ length: 1_100 }, (_, index) => `test/many/${index % 7}/${index}`);
    await mapConcurrently(many, 16, (key) => getStore().write(key, send(Buffer.of(1))));
    assert.equal((await listAll(getStore(), 'test/many')).length, many.length);
    await getStore().remove(many);
    assert.deepEqual(await listAll(getStore(), 'test/many'), []);
  });

  it('can be stopped early', async () => {
    for await (const _object of getStore().list('test/list')) break;
  });

  it('allows the removal of objects while they are listed', async () => {
    const passing = Array.from({ length: 40 }, (_, index) => `test/passing/${index % 4}/${index}`);
    for (const key of passing) await getStore().write(key, send(Buffer.of(1)));
    for await (const object of getStore().list('test/passing')) await getStore().remove([object.key]);
    assert.deepEqual(await listAll(getStore(), 'test/passing'), []);
  });
}

function testRemovals(getStore: GetStore): void {
  it('removes the given objects and no others', async () => {
    for (const name of ['one', 'two', 'three']) await getStore().write(`test/remove/${name}`, send());
    await getStore().remove(['test/remove/one', 'test/remove/three']);
    assert.deepEqual(
      (await listAll(getStore(), 'test/remove')).map((object) => object.key),
      ['test/remove/two'],
    );
  });

  it('does not fail for missing objects', async () => {
    await getStore().remove([]);
    await getStore().remove(['test/remove/never', 'test/none/of/these', 'test/remove/never']);
  });

  it('does not treat the leading segments of a key as an object', async () => {
    await getStore().write('test/leading/segment/object', send());
    await getStore().remove(['test/leading', 'test/leading/segment']);
    assert.ok(await getStore().find('test/leading/segment/object'));
  });

  it('allows a removed key to be written again', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await getStore().write('test/again/and/again', send(Buffer.alloc(round)));
      assert.equal((await getStore().find('test/again/and/again'))?.size, round);
      await getStore().remove(['test/again/and/again']);
      await assertMissing(getStore(), 'test/again/and/again');
    }
  });

  it('never makes a concurrent write fail', inFull, async () => {
    const names = Array.from({ length: 400 }, (_, index) => `test/beside/${index % 3}/${index}`);
    await mapConcurrently(names, 16, async (key) => {
      await getStore().write(key, send(Buffer.from(key)));
      assert.equal((await readAll(getStore(), key)).toString(), key);
      await getStore().remove([key]);
    });
    assert.deepEqual(await listAll(getStore(), 'test/beside'), []);
  });

  it('of abandoned writes does not affect a running write', async () => {
    const wait = Promise.withResolvers<void>();
    const source = new WatchedSource([randomBytes(MIB)], () => wait.promise);
    const writing = getStore().write('test/running', source);
    await source.taken.promise;
    await getStore().removeAbandonedWrites(systemClock.now() - 60_000, claimNothing);
    wait.resolve();
    assert.equal((await writing).size, MIB);
    assert.equal((await getStore().find('test/running'))?.size, MIB);
  });
}

function testKeys(getStore: GetStore): void {
  for (const key of ['', '/a', 'a/', 'a//b', '../a', 'a/../b', '.incoming/a', 'a b', 'ä', 'a'.repeat(513)]) {
    it(`reject ${JSON.stringify(key.slice(0, 20))} in every method`, async () => {
      const source = new PassThrough();
      await assertPlainError(getStore().write(key, source));
      assert.equal(source.destroyed, true);
      await assertPlainError(getStore().open(key));
      await assertPlainError(getStore().read(key, { start: 0, end: 0 }));
      await assertPlainError(getStore().find(key));
      await assertPlainError(getStore().remove([key]));
      await assertPlainError(getStore().copy(key, 'test/keys/copy'));
      await assertPlainError(getStore().copy('test/keys/missing', key));
      await assertPlainError(getStore().resumable.begin(key));
      if (key !== '') await assertPlainError(listAll(getStore(), key));
    });
  }
}

function testCopies(getStore: GetStore): void {
  for (const size of [0, 1, 5 * MIB + 1]) {
    it(`copies ${size} bytes and leaves the source unchanged`, async () => {
      const [source, target] = [`test/copy/from/${size}`, `test/copy/to/${size}`];
      const bytes = randomBytes(size);
      await getStore().write(source, send(bytes));
      await getStore().copy(source, target);
      for (const key of [source, target]) assert.ok((await readAll(getStore(), key)).equals(bytes));
      await getStore().remove([source]);
      assert.ok((await readAll(getStore(), target)).equals(bytes));
    });
  }

  it('replaces an existing object', async () => {
    await getStore().write('test/copy/newer', send(Buffer.from('newer')));
    await getStore().write('test/copy/older', send(Buffer.from('the older and longer one')));
    await getStore().copy('test/copy/newer', 'test/copy/older');
    assert.equal((await readAll(getStore(), 'test/copy/older')).toString(), 'newer');
  });

  it('fails with not-found for a missing source, and leaves the target unchanged', async () => {
    await getStore().write('test/copy/kept', send(Buffer.from('kept')));
    for (const missing of ['test/copy/nothing', 'test/copy', 'test/copy/kept/below']) {
      assert.equal((await failureOf(getStore().copy(missing, 'test/copy/kept'))).kind, 'not-found');
      assert.equal((await failureOf(getStore().copy(missing, 'test/copy/never'))).kind, 'not-found');
    }
    assert.equal((await readAll(getStore(), 'test/copy/kept')).toString(), 'kept');
    await assertMissing(getStore(), 'test/copy/never');
  });
}
