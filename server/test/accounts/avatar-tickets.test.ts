// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  deleteExpiredTickets,
  deleteOldTickets,
  findTicket,
  insertTicket,
  recordStored,
  redeemTicket,
  ticketClaims,
} from '../../src/accounts/avatar/queries.ts';
import type { Tx } from '../../src/database/database.ts';
import { startHoldall } from '../support/app/holdall.ts';

const MINUTE = 60_000;

describe('avatar tickets', async () => {
  const { app, clock, register } = await startHoldall();
  const { database } = app;
  const [policy] = await app.policies.listOpenable();
  assert(policy);
  const bytes = { policyId: policy.id, objectKey: 'blobs/bytes', size: 3, sha256: 'a'.repeat(64), crc32: 7 };
  let ann = 0;
  let bob = 0;
  before(async () => {
    ann = (await register('ann')).id;
    bob = (await register('bob')).id;
  });

  const create = (tx: Tx, key: string, accountId: number) => {
    const createdAt = clock.now();
    const expiresAt = createdAt + MINUTE;
    return insertTicket(tx, { key, accountId, maxBytes: 10, contentType: 'image/png', createdAt, expiresAt });
  };
  const open = (key: string) => database.transact((tx) => create(tx, key, ann));
  const find = (key: string, accountId: number) => findTicket(database.db, { key, accountId }, clock.now());
  const mark = (key: string, accountId: number, stored = bytes) =>
    database.transact((tx) => recordStored(tx, { key, accountId }, stored, clock.now()));
  const take = (key: string, accountId: number) =>
    database.transact((tx) => redeemTicket(tx, { key, accountId }, clock.now()));
  const deleteExpired = () => database.transact((tx) => deleteExpiredTickets(tx, clock.now()));

  test('a ticket records what it was created for, and the location of its bytes once they are stored', async () => {
    await open('known');
    const empty = { key: 'known', maxBytes: 10, contentType: 'image/png', stored: null };
    assert.deepEqual(await find('known', ann), empty);
    const { policyId, objectKey } = bytes;
    assert.deepEqual(await mark('known', ann), []);
    assert.deepEqual(await mark('known', ann), [{ policyId, objectKey }]);
    assert.deepEqual(await take('known', ann), { ...empty, stored: bytes });
  });

  test('only its owner can use a ticket', async () => {
    await open('mine');
    assert.equal(await find('mine', bob), undefined);
    assert.equal(await mark('mine', bob), undefined);
    assert.equal(await take('mine', bob), undefined);
    assert(await take('mine', ann));
  });

  test('only one of 20 concurrent calls redeems a ticket', async () => {
    await open('raced');
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('raced', ann)));
    assert.equal(taken.filter((ticket) => ticket !== undefined).length, 1);
    assert.equal(await mark('raced', ann), undefined);
    assert.equal(await find('raced', ann), undefined);
  });

  test('a ticket stays valid if the transaction that redeems it fails', async () => {
    await open('failed');
    await assert.rejects(
      database.transact(async (tx) => {
        assert(await redeemTicket(tx, { key: 'failed', accountId: ann }, clock.now()));
        throw new Error('later');
      }),
      /later/,
    );
    assert(await take('failed', ann));
  });

  test('deleting all but the newest returns the locations of the bytes of the others', async () => {
    for (const key of ['oldest', 'older', 'newest']) {
      await database.transact((tx) => create(tx, key, bob));
      clock.advance(1);
    }
    await mark('oldest', bob);
    const deleteOldest = (keep: number) => database.transact((tx) => deleteOldTickets(tx, bob, keep));
    const { policyId, objectKey } = bytes;
    assert.deepEqual(await deleteOldest(1), [{ policyId, objectKey }]);
    assert.deepEqual(await deleteOldest(1), []);
    assert.equal(await take('older', bob), undefined);
    assert(await take('newest', bob));
  });

  test('each of many concurrent uploads replaces the bytes of another one', async () => {
    await open('stored-often');
    const keys = Array.from({ length: 10 }, (_, index) => `blobs/${index}`);
    const marked = await Promise.all(
      keys.map((objectKey) => mark('stored-often', ann, { ...bytes, objectKey })),
    );
    const last = (await take('stored-often', ann))?.stored?.objectKey;
    const replaced = marked.map((each) => each?.[0]?.objectKey ?? null);
    assert.deepEqual(new Set([...replaced, last]), new Set([null, ...keys]));
  });

  test('a ticket claims its bytes until it is redeemed or deleted', async () => {
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
    const removed = await deleteExpired();
    assert.deepEqual(
      removed.map((location) => location.objectKey),
      ['blobs/bytes'],
    );
    assert.deepEqual(await deleteExpired(), []);
    assert(await take('fresh', ann));
  });
});
