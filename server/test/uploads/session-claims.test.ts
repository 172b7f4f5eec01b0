// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionClaims } from '../../src/uploads/sessions/claim-queries.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { TusUpload } from '../support/uploads/tus.ts';

test('an unfinished upload claims its object, its whole content and its tail, and an ended one claims nothing', async () => {
  const { app, register } = await startHoldall();
  const upload = await TusUpload.create(await register('owner'), 'claiming', 10);
  const { database } = app;
  const keys = ['an/object', 'the/content', 'the/tail'];
  const [object_key = '', stored_key, tail_key] = keys;
  const change = (values: object) =>
    database.transact((tx) =>
      tx.updateTable('upload_session').set(values).where('id', '=', upload.id).execute(),
    );
  const findClaimed = (key: string) => sessionClaims.findClaimedKeys(database.db, [key]);
  await change({ object_key, stored_key, tail_key });
  for (const key of keys) assert.ok((await findClaimed(key)).includes(key), key);
  await change({ status: 'CANCELLED' });
  for (const key of keys) assert.deepEqual(await findClaimed(key), []);
});
