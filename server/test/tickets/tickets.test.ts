// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ticketClaims, UploadTickets } from '../../src/tickets/tickets.ts';
import { startHoldall } from '../support/app/holdall.ts';

const MINUTE = 60_000;

describe('upload tickets', async () => {
  const { app, clock, register } = await startHoldall();
  const { database } = app;
  const tickets = new UploadTickets(clock, MINUTE);
  const [policy] = await app.policies.listOpenable();
  assert(policy);
  const bytes = { policyId: policy.id, objectKey: 'blobs/bytes', size: 3, sha256: 'a'.repeat(64), crc32: 7 };
  let ann = 0;
  let bob = 0;
  before(async () => {
    ann = (await register('ann')).id;
    bob = (await register('bob')).id;
  });

  const open = (key: string) =>
    database.transact((tx) =>
      tickets.create(tx, { key, ownerId: ann, purpose: 'FILE', maxBytes: 10, contentType: 'text/plain' }),
    );
  const mark = (key: string, ownerId: number) =>
    database.transact((tx) => tickets.recordStored(tx, key, ownerId, bytes));
  const take = (key: string, ownerId: number, purpose: 'FILE' | 'AVATAR' = 'FILE') =>
    database.transact((tx) => tickets.redeem(tx, key, ownerId, purpose));

  test('a ticket records what it was created for, and the location of its bytes once they are stored', async () => {
    await open('known');
    const empty = { key: 'known', maxBytes: 10, contentType: 'text/plain', stored: null };
    assert.deepEqual(await tickets.find(database.db, 'known', ann, 'FILE'), empty);
    const { policyId, objectKey } = bytes;
    assert.deepEqual(await mark('known', ann), []);
    assert.deepEqual(await mark('known', ann), [{ policyId, objectKey }]);
    assert.deepEqual(await take('known', ann), { ...empty, stored: bytes });
  });

  test('only its owner can use it, and only for its purpose', async () => {
    await open('mine');
    assert.equal(await tickets.find(database.db, 'mine', bob, 'FILE'), undefined);
    assert.equal(await tickets.find(database.db, 'mine', ann, 'AVATAR'), undefined);
    assert.equal(await mark('mine', bob), undefined);
    assert.equal(await take('mine', bob), undefined);
    assert.equal(await take('mine', ann, 'AVATAR'), undefined);
    assert(await take('mine', ann));
  });

  test('one of 20 concurrent calls redeems it, and then it is gone', async () => {
    await open('raced');
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('raced', ann)));
    assert.equal(taken.filter((ticket) => ticket !== undefined).length, 1);
    assert.equal(await mark('raced', ann), undefined);
    assert.equal(await tickets.find(database.db, 'raced', ann, 'FILE'), undefined);
  });

  test('a transaction that redeems it and fails leaves it', async () => {
    await open('failed');
    await assert.rejects(
      database.transact(async (tx) => {
        assert(await tickets.redeem(tx, 'failed', ann, 'FILE'));
        throw new Error('later');
      }),
      /later/,
    );
    assert(await take('failed', ann));
  });

  test('only the newest are kept, and the deletion of the others returns the locations of their bytes', async () => {
    const ticket = { ownerId: bob, purpose: 'AVATAR', maxBytes: 10, contentType: 'image/png' } as const;
    for (const key of ['oldest', 'older', 'newest']) {
      await database.transact((tx) => tickets.create(tx, { ...ticket, key }));
      clock.advance(1);
    }
    await mark('oldest', bob);
    const deleteOldest = (keep: number) =>
      database.transact((tx) => tickets.deleteOldest(tx, bob, 'AVATAR', keep));
    const { policyId, objectKey } = bytes;
    assert.deepEqual(await deleteOldest(1), [{ policyId, objectKey }]);
    assert.deepEqual(await deleteOldest(1), []);
    assert.equal(await take('older', bob, 'AVATAR'), undefined);
    assert(await take('newest', bob, 'AVATAR'));
  });

  test('of many concurrent uploads each replaces the bytes of another one', async () => {
    await open('stored-often');
    const keys = Array.from({ length: 10 }, (_, index) => `blobs/${index}`);
    const marked = await Promise.all(
      keys.map((objectKey) =>
        database.transact((tx) => tickets.recordStored(tx, 'stored-often', ann, { ...bytes, objectKey })),
      ),
    );
    const last = (await take('stored-often', ann))?.stored?.objectKey;
    const replaced = marked.map((each) => each?.[0]?.objectKey ?? null);
    assert.deepEqual(new Set([...replaced, last]), new Set([null, ...keys]));
  });

  test('it claims its bytes until it is redeemed or deleted', async () => {
    await open('claimed');
    const keys = ['claimed', 'blobs/bytes', 'blobs/other'];
    assert.deepEqual(await ticketClaims.findClaimedKeys(database.db, keys), []);
    await mark('claimed', ann);
    assert.deepEqual(await ticketClaims.findClaimedKeys(database.db, keys), ['blobs/bytes']);
    assert.deepEqual(await ticketClaims.findClaimedKeys(database.db, []), []);
    await take('claimed', ann);
    assert.deepEqual(await ticketClaims.findClaimedKeys(database.db, keys), []);
  });

  test('an expired ticket cannot be used, and its deletion returns the location of its bytes', async () => {
    await open('late');
    await open('late-and-stored');
    await mark('late-and-stored', ann);
    clock.advance(MINUTE);
    assert.equal(await take('late', ann), undefined);
    assert.equal(await mark('late', ann), undefined);
    await open('fresh');
    const removed = await database.transact((tx) => tickets.deleteExpired(tx));
    assert.deepEqual(
      removed.map((location) => location.objectKey),
      ['blobs/bytes'],
    );
    assert.deepEqual(await database.transact((tx) => tickets.deleteExpired(tx)), []);
    assert(await take('fresh', ann));
  });
});
