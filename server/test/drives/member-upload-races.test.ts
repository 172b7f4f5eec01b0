// tier: default
// runs on: sqlite, postgres
// runs on, with --full: s3
// Editors who lose rights during an upload, of every kind.
import assert from 'node:assert/strict';
import { afterEach, describe, type TestContext, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { UploadTarget } from '../../src/http/fields.ts';
import { type Holdall, startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { listUnusedObjects } from '../support/drive/stored-files.ts';
import { type MemberRace, REDUCTIONS, reduceDuring, startMemberRace } from '../support/drives/member-race.ts';
import { DRIVE_HEADER } from '../support/drives/shared-drives.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { askTus, metadataOf, PIECE, TUS, TusUpload } from '../support/uploads/tus.ts';
import { ok, openSession, SESSIONS } from '../support/uploads/upload-session.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const elsewhere: Holdall = isPostgres
  ? await startHoldall({ env: { ...env, HOLDALL_WORKER_CONCURRENCY: '0' }, beside: holdall })
  : holdall;
const instances = [holdall, elsewhere] as const;
const { db } = holdall.app.database;

afterEach(() => checkBooks(holdall));

/** A change that is held just before it takes effect. */
interface Change {
  readonly name: string;
  /** Prepares the change. The returned function makes it. */
  readonly prepare: (race: MemberRace) => Promise<() => Promise<{ readonly status: number }>>;
}

const CHANGES: readonly Change[] = [
  {
    name: 'a small form upload',
    prepare: async ({ editor }) => {
      return () => editor.call('POST', '/api/files/upload', { body: formOf('/small', 'small') });
    },
  },
  {
    name: 'new content of a file',
    prepare: async ({ editor, ann }) => {
      const { id } = await ann.upload('/kept', 'old');
      const headers = { 'content-type': 'application/octet-stream' };
      return () => editor.call('PUT', `/api/v2/files/${id}/content`, { body: Buffer.from('new'), headers });
    },
  },
  {
    name: 'the creation of an upload session',
    prepare: async ({ editor }) => {
      return () => editor.call('POST', SESSIONS, { body: { filename: 'announced', size: 5 } });
    },
  },
  {
    name: 'the completion of an upload session',
    prepare: async ({ editor }) => {
      const { calls } = await openSession(editor, { filename: 'announced', size: 5 });
      ok(await calls.send('bytes'));
      return () => calls.complete();
    },
  },
  {
    name: 'the announcement of a legacy upload',
    prepare: async ({ editor }) => {
      return () =>
        editor.call('POST', '/api/files/upload/initiate', { body: { filename: 'legacy', size: 5 } });
    },
  },
  {
    name: 'the completion of a legacy upload',
    prepare: async ({ editor }) => {
      const file = { filename: 'legacy', size: 5 };
      const target = await editor.ask<UploadTarget>('POST', '/api/files/upload/initiate', { body: file });
      await editor.ask(target.method, target.uploadUrl, {
        body: Buffer.from('bytes'),
        headers: target.headers,
      });
      const body = { ...file, storageName: target.storageName };
      return () => editor.call('POST', '/api/files/upload/complete', { body });
    },
  },
  {
    name: 'the creation of a tus upload',
    prepare: async ({ editor }) => {
      const headers = { 'upload-length': '5', 'upload-metadata': metadataOf({ filename: 'tus' }) };
      return () => askTus(editor, 'POST', TUS, { headers });
    },
  },
  {
    name: 'the last byte of a tus upload',
    prepare: async ({ editor }) => {
      const upload = await TusUpload.create(editor, 'tus', 5);
      assert.equal((await upload.patch(0, 'byte')).status, 204);
      return () => upload.patch(4, 's');
    },
  },
];

for (const { what, status, reduce } of REDUCTIONS) {
  describe(`nothing takes effect after its editor was ${what}:`, () => {
    for (const { name, prepare } of CHANGES) {
      test(name, async (context) => {
        const race = await startMemberRace(instances);
        const change = await prepare(race);
        const before = await race.ann.tree();
        const gate = race.holdChanges(context);
        const answer = await reduceDuring(gate, () => reduce(race.manager, race.drive, race.bob), change);
        assert.equal(answer.status, status);
        assert.deepEqual(await race.ann.tree(), before);
        await untilNothingIsLeft(race);
      });
    }

    test('a form upload whose bytes are still arriving', async () => {
      const race = await startMemberRace(instances);
      const upload = await startPaused(race, 'POST /api/files/upload');
      await waitUntil('its bytes are reserved', async () => (await countReservations(race)) === 1);
      assert.equal((await reduce(race.manager, race.drive, race.bob)).status, 200);
      assert.equal(await upload.finish(), status);
      assert.deepEqual(await race.ann.names(), []);
      await untilNothingIsLeft(race);
    });

    test('the content of an upload session that is still arriving', async () => {
      const race = await startMemberRace(instances);
      const { session } = await openSession(race.editor, { filename: 'announced', size: HELD.length });
      const upload = await startPaused(race, `POST ${SESSIONS}/${session.sessionId}/content`);
      await untilWriting(session.sessionId);
      assert.equal((await reduce(race.manager, race.drive, race.bob)).status, 200);
      assert.equal(await upload.status, 400);
      await untilNothingIsLeft(race);
    });

    test('a piece of a tus upload that is still arriving', async (context) => {
      const race = await startMemberRace(instances);
      const { id } = await TusUpload.create(race.editor, 'tus', HELD.length);
      const upload = await startPausedPiece(context, race, id);
      await untilWriting(id);
      assert.equal((await reduce(race.manager, race.drive, race.bob)).status, 200);
      assert.equal(await upload.status, 400);
      await untilNothingIsLeft(race);
    });
  });
}

const HELD = new Uint8Array(1_000_000);

function startPaused({ editor, drive }: MemberRace, line: string): Promise<PausedUpload> {
  const headers = { [DRIVE_HEADER]: String(drive) };
  return PausedUpload.start(editor, { line, name: 'held', bytes: HELD, encoding: 'form', headers });
}

async function startPausedPiece(
  context: TestContext,
  { editor, drive }: { readonly editor: Person; readonly drive: number },
  id: string,
): Promise<PausedUpload> {
  const tus = { 'tus-resumable': '1.0.0', 'content-type': PIECE, 'upload-offset': '0' };
  const headers = { [DRIVE_HEADER]: String(drive), ...tus };
  const request = { line: `PATCH ${TUS}/${id}`, name: '', bytes: HELD, headers } as const;
  const upload = await PausedUpload.start(editor, { ...request, encoding: 'raw' });
  context.after(() => upload.cut());
  return upload;
}

/** Waits until a request writes the content of the session. */
function untilWriting(id: string): Promise<void> {
  return waitUntil('the content arrives', async () => {
    const session = db.selectFrom('upload_session').select('writer').where('id', '=', id);
    return (await session.executeTakeFirstOrThrow()).writer !== null;
  });
}

async function countReservations({ drive }: MemberRace): Promise<number> {
  const rows = await db.selectFrom('upload_reservation').select('id').where('drive_id', '=', drive).execute();
  return rows.length;
}

/** The service may remove bytes and reservations after its answer. */
async function untilNothingIsLeft(race: MemberRace): Promise<void> {
  const open = await db
    .selectFrom('upload_session')
    .select(['id', 'status'])
    .where('drive_id', '=', race.drive)
    .where('status', '<>', 'CANCELLED')
    .execute();
  assert.deepEqual(open, []);
  await waitUntil('nothing is reserved', async () => (await countReservations(race)) === 0);
  await waitUntil('the bytes are removed', async () => (await listUnusedObjects(holdall)).length === 0);
}
