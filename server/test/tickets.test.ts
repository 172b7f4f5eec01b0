import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { UploadTickets } from '../src/tickets/tickets.ts';
import { startHoldall } from './support/holdall.ts';

const MINUTE = 60_000;

describe('upload tickets', async () => {
  const { app, clock, register } = await startHoldall();
  const { database } = app;
  const tickets = new UploadTickets(clock, MINUTE);
  const bytes = { objectKey: 'blobs/bytes', size: 3, sha256: 'a'.repeat(64), crc32: 7 };
  let ann = 0;
  let bob = 0;
  before(async () => {
    ann = (await register('ann')).id;
    bob = (await register('bob')).id;
  });

  const open = (key: string) =>
    database.transact((tx) =>
      tickets.open(tx, { key, ownerId: ann, purpose: 'FILE', maxBytes: 10, contentType: 'text/plain' }),
    );
  const mark = (key: string, ownerId: number) =>
    database.transact((tx) => tickets.markStored(tx, key, ownerId, bytes));
  const take = (key: string, ownerId: number, purpose: 'FILE' | 'AVATAR' = 'FILE') =>
    database.transact((tx) => tickets.take(tx, key, ownerId, purpose));

  test('a ticket knows what it was opened for, and where its bytes lie once they do', async () => {
    await open('known');
    const empty = { key: 'known', maxBytes: 10, contentType: 'text/plain', storedKey: null };
    const found = await tickets.find(database.db, 'known', ann, 'FILE');
    assert.deepEqual(found, { ...empty, size: null, sha256: null, crc32: null });
    assert.deepEqual(await mark('known', ann), { replacedKey: null });
    assert.deepEqual(await mark('known', ann), { replacedKey: bytes.objectKey });
    const { objectKey, ...digest } = bytes;
    assert.deepEqual(await take('known', ann), { ...empty, ...digest, storedKey: objectKey });
  });

  test('only its owner can use it, and for its purpose', async () => {
    await open('mine');
    assert.equal(await tickets.find(database.db, 'mine', bob, 'FILE'), undefined);
    assert.equal(await tickets.find(database.db, 'mine', ann, 'AVATAR'), undefined);
    assert.equal(await mark('mine', bob), undefined);
    assert.equal(await take('mine', bob), undefined);
    assert.equal(await take('mine', ann, 'AVATAR'), undefined);
    assert(await take('mine', ann));
  });

  test('of 20 who take it one gets it, and then it is gone', async () => {
    await open('raced');
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('raced', ann)));
    assert.equal(taken.filter((ticket) => ticket !== undefined).length, 1);
    assert.equal(await mark('raced', ann), undefined);
    assert.equal(await tickets.find(database.db, 'raced', ann, 'FILE'), undefined);
  });

  test('what takes it and fails leaves it', async () => {
    await open('failed');
    await assert.rejects(
      database.transact(async (tx) => {
        assert(await tickets.take(tx, 'failed', ann, 'FILE'));
        throw new Error('later');
      }),
      /later/,
    );
    assert(await take('failed', ann));
  });

  test('of many who store at once each replaces the bytes of another', async () => {
    await open('stored-often');
    const keys = Array.from({ length: 10 }, (_, index) => `blobs/${index}`);
    const marked = await Promise.all(
      keys.map((objectKey) =>
        database.transact((tx) => tickets.markStored(tx, 'stored-often', ann, { ...bytes, objectKey })),
      ),
    );
    const last = (await take('stored-often', ann))?.storedKey;
    const replaced = marked.map((each) => each?.replacedKey ?? null);
    assert.deepEqual(new Set([...replaced, last]), new Set([null, ...keys]));
  });

  test('it claims its key and that of its bytes, until it is taken or removed', async () => {
    await open('claimed');
    const keys = ['claimed', 'blobs/bytes', 'blobs/other'];
    assert.deepEqual(await tickets.findClaimedKeys(database.db, keys), ['claimed']);
    await mark('claimed', ann);
    const claimed = [...(await tickets.findClaimedKeys(database.db, keys))].sort();
    assert.deepEqual(claimed, ['blobs/bytes', 'claimed']);
    assert.deepEqual(await tickets.findClaimedKeys(database.db, []), []);
    await take('claimed', ann);
    assert.deepEqual(await tickets.findClaimedKeys(database.db, keys), []);
  });

  test('past its time it is good for nothing, and is removed with the keys of its bytes', async () => {
    await open('late');
    await open('late-and-stored');
    await mark('late-and-stored', ann);
    clock.advance(MINUTE);
    assert.equal(await take('late', ann), undefined);
    assert.equal(await mark('late', ann), undefined);
    await open('fresh');
    const removed = await database.transact((tx) => tickets.removeExpired(tx));
    assert.deepEqual([...removed].sort(), ['blobs/bytes', 'late']);
    assert.deepEqual(await database.transact((tx) => tickets.removeExpired(tx)), []);
    assert(await take('fresh', ann));
  });
});
