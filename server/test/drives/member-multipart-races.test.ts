// tier: full
// runs on: s3
// Editors who lose rights while they upload parts directly to the store.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { afterEach, describe, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { UploadTarget } from '../../src/http/fields.ts';
import type { SessionRecord } from '../../src/uploads/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { listUnusedObjects } from '../support/drive/stored-files.ts';
import { REDUCTIONS, reduceDuring, startMemberRace } from '../support/drives/member-race.ts';
import { assertRefused, ok, openSession, putTo } from '../support/uploads/upload-session.ts';

const CHUNK = 8 * 1024 * 1024;
const bytes = randomBytes(CHUNK + 1_000);

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const elsewhere = await startHoldall({ env: { ...env, HOLDALL_WORKER_CONCURRENCY: '0' }, beside: holdall });
const instances = [holdall, elsewhere] as const;

afterEach(() => checkBooks(holdall));

const untilNothingIsUnused = () =>
  waitUntil('the bytes are removed', async () => (await listUnusedObjects(holdall)).length === 0);

test('the addresses of a session for parts work without the header', async () => {
  const { ann, bob, editor, drive } = await startMemberRace(instances);
  const { session } = await openSession(editor, { filename: 'parts', size: bytes.length });
  const { partPrepareUrlTemplate, partRecordUrlTemplate, completeUrl } = session.strategy;
  for (const index of [0, 1]) {
    const part = new Uint8Array(bytes.subarray(index * CHUNK, (index + 1) * CHUNK));
    const fill = (template = '') => template.replace('{partIndex}', String(index));
    const target = await bob.ask<UploadTarget>('GET', fill(partPrepareUrlTemplate));
    const body = { etag: await putTo(target, part), size: part.length };
    await bob.ask('PUT', fill(partRecordUrlTemplate), { body });
  }
  const { fileId } = await bob.ask<SessionRecord>('POST', completeUrl);
  assert.ok((await ann.download({ id: fileId ?? 0 })).equals(bytes));
  assert.match(completeUrl, new RegExp(`\\?drive=${drive}$`));
});

for (const { what, status, reduce } of REDUCTIONS) {
  describe(`after its editor was ${what}, a session for parts`, () => {
    test('is not completed', async (context) => {
      const { manager, ann, bob, editor, drive, holdChanges } = await startMemberRace(instances);
      const { calls } = await openSession(editor, { filename: 'parts', size: bytes.length });
      for (const index of [0, 1]) {
        await calls.putPart(index, new Uint8Array(bytes.subarray(index * CHUNK, (index + 1) * CHUNK)));
      }
      const gate = holdChanges(context);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => calls.complete(),
      );
      assert.equal(answer.status, status);
      assert.deepEqual(await ann.names(), []);
      await untilNothingIsUnused();
    });

    test('is not created, and leaves nothing in the store', async (context) => {
      const { manager, bob, editor, drive, holdChanges } = await startMemberRace(instances);
      const gate = holdChanges(context);
      const answer = await reduceDuring(
        gate,
        () => reduce(manager, drive, bob),
        () => editor.call('POST', '/api/v2/files/upload-sessions', { body: { filename: 'x', size: 5 } }),
      );
      assert.equal(answer.status, status);
      await untilNothingIsUnused();
    });

    test('gets no more parts', async () => {
      const { manager, bob, editor, drive } = await startMemberRace(instances);
      const { calls } = await openSession(editor, { filename: 'parts', size: bytes.length });
      await calls.putPart(0, new Uint8Array(bytes.subarray(0, CHUNK)));
      ok(await reduce(manager, drive, bob));
      assertRefused(await calls.preparePart(1), status);
      assertRefused(await calls.recordPart(1, { etag: '"x"', size: 1_000 }), status);
      await untilNothingIsUnused();
    });
  });
}
