import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { ObjectStore } from '../../../src/storage/object-store.ts';
import { send, WatchedSource } from './byte-sources.ts';
import { testCopies } from './object-store-copies.ts';
import { testInterruptedPieces } from './object-store-interruptions.ts';
import { testReads } from './object-store-reads.ts';
import { testPieceEnds, testPieces } from './object-store-resumable.ts';
import { testFailedWrites, testWrites } from './object-store-writes.ts';
import {
  assertMissing,
  assertOwnFault,
  forEachOf,
  type GetStore,
  listAll,
  MIB,
  nobodyClaims,
  readAll,
} from './store-answers.ts';

export interface StoreUnderTest {
  readonly store: ObjectStore;
  /** Another instance over the same place, as after a restart. */
  reopen(): ObjectStore;
  close(): Promise<void>;
}

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
    const reopen = () => underTest.reopen();
    describe('writing in pieces', () => testPieces(getStore, reopen));
    describe('writing in pieces that break off', () => testInterruptedPieces(getStore, reopen));
    describe('ending a write in pieces', () => testPieceEnds(getStore, reopen));
    describe('copying', () => testCopies(getStore));
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
    it(`lists ${expected.length} objects under ${prefix}, in the order of their keys`, async () => {
      const found = await listAll(getStore(), prefix);
      assert.deepEqual(
        found.map((object) => object.key),
        expected.toSorted(),
      );
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
    await getStore().removeAbandonedWrites(systemClock.now() - 60_000, nobodyClaims);
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
      await assertOwnFault(getStore().copy(key, 'test/keys/copy'));
      await assertOwnFault(getStore().copy('test/keys/missing', key));
      await assertOwnFault(getStore().resumable.begin(key));
      if (key !== '') await assertOwnFault(listAll(getStore(), key));
    });
  }
}
