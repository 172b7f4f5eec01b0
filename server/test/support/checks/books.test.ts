// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../app/holdall.ts';
import { send } from '../storage/byte-sources.ts';
import { checkBooks } from './books.ts';

test('bytes that change after they were checked are noticed, although each object is read once', async () => {
  const holdall = await startHoldall();
  const { database, store } = holdall.app;
  const alice = await holdall.register('alice');
  await alice.upload('/a', 'right');
  await checkBooks(holdall);
  const { object_key: key } = await database.db
    .selectFrom('blob')
    .select('object_key')
    .executeTakeFirstOrThrow();
  let reads = 0;
  const open = store.open.bind(store);
  store.open = (...parameters) => {
    reads += 1;
    return open(...parameters);
  };
  await checkBooks(holdall);
  assert.equal(reads, 0);
  await store.write(key, send(Buffer.from('wrong')));
  await assert.rejects(checkBooks(holdall), /has different bytes than were stored/);
  await store.write(key, send(Buffer.from('right')));
  await checkBooks(holdall);
});
