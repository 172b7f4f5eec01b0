// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// Upload sessions, legacy uploads and tus in shared drives.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, test } from 'node:test';
import type { UploadTarget } from '../../src/http/fields.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { setRole } from '../support/drives/members.ts';
import { createDrive, DRIVE_HEADER, inDrive, listDrives } from '../support/drives/shared-drives.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { askTus, assertTus, metadataOf, TUS, TusUpload } from '../support/uploads/tus.ts';
import { assertRefused, ok, openSession, SESSIONS, SessionCalls } from '../support/uploads/upload-session.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
await withoutDirect(holdall);
const ann = await holdall.register('ann');
const bob = await holdall.register('bob');
const vic = await holdall.register('vic');
const { id: drive } = await createDrive(ann, 'Team', [
  { person: bob, role: 'EDITOR' },
  { person: vic, role: 'VIEWER' },
]);
const { id: other } = await createDrive(ann, 'Other', [{ person: bob, role: 'EDITOR' }]);
const [annThere, bobThere, vicThere] = [inDrive(ann, drive), inDrive(bob, drive), inDrive(vic, drive)];

/** What is in the personal drive. */
const OWN_NAMES = await bob.names();

afterEach(() => checkBooks(holdall));

const usedBytes = async (person: Person, id: number) =>
  (await listDrives(person)).find((one) => one.id === id)?.usedBytes;

/** The headers of requests that continue an upload in the wrong drive. */
const WRONG_DRIVES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['no drive', {}],
  ['the personal drive', { [DRIVE_HEADER]: String(bob.driveId) }],
  ['another shared drive', { [DRIVE_HEADER]: String(other) }],
];

describe('an upload session in a shared drive', () => {
  test('adds a file to the drive, and its addresses work without the header', async () => {
    const before = await usedBytes(bob, drive);
    const { session } = await openSession(bobThere, { path: '/a', filename: 'session', size: 5 });
    const { strategy } = session;
    assert.deepEqual(strategy, {
      proxyContentUrl: `${SESSIONS}/${session.sessionId}/content?drive=${drive}`,
      proxyFormField: 'file',
      completeUrl: `${SESSIONS}/${session.sessionId}/complete?drive=${drive}`,
    });
    const form = new FormData();
    form.set('file', new Blob(['bytes']));
    await bob.ask('POST', strategy.proxyContentUrl ?? '', { body: form });
    const completed = await bob.ask<typeof session>('POST', strategy.completeUrl);
    assert.deepEqual(completed.strategy, strategy);
    assert.deepEqual(await annThere.names('/a'), ['session']);
    assert.deepEqual(await bob.names(), OWN_NAMES);
    assert.equal(await usedBytes(bob, drive), (before ?? 0) + 5);
    assert.equal(await usedBytes(bob, bob.driveId), 0);
  });

  test('gets addresses without a drive in a personal drive, even if the header names it', async () => {
    const there = inDrive(bob, bob.driveId);
    const { session, calls } = await openSession(there, { filename: 'own', size: 5 });
    assert.equal(session.strategy.completeUrl, `${SESSIONS}/${session.sessionId}/complete`);
    ok(await calls.by(bob).cancel());
  });

  for (const [name, headers] of WRONG_DRIVES) {
    test(`is 404 in ${name}`, async () => {
      const { session, calls } = await openSession(bobThere, { filename: 'x', size: 5 });
      const address = `${SESSIONS}/${session.sessionId}`;
      await bob.refused(404, 2404, 'GET', address, { headers });
      await bob.refused(404, 2404, 'DELETE', address, { headers });
      await bob.refused(404, 2404, 'POST', `${address}/complete`, { headers });
      ok(await calls.cancel());
    });
  }

  test('belongs to its maker: other editors and managers get 404', async () => {
    const { calls } = await openSession(bobThere, { filename: 'x', size: 5 });
    const foreign = calls.by(annThere);
    for (const answer of [
      await foreign.get(),
      await foreign.send('bytes'),
      await foreign.prepare(),
      await foreign.preparePart(0),
      await foreign.recordPart(0, { etag: '"x"', size: 5 }),
      await foreign.complete(),
      await foreign.complete({ onConflict: 'NEW_VERSION' }),
      await foreign.cancel(),
    ]) {
      assertRefused(answer, 404);
    }
    const { status, runtime } = ok(await calls.get());
    assert.deepEqual([status, runtime?.uploadedBytes], ['CREATED', 0]);
    ok(await calls.cancel());
  });

  test('counts against the quota of the drive until it is cancelled', async () => {
    const [record] = (await listDrives(bob)).filter(({ id }) => id === other);
    const elsewhere = inDrive(bob, other);
    const size = Math.min(record?.quotaBytes ?? 0, record?.maxUploadBytes ?? 0);
    const sizes = Array.from({ length: Math.floor((record?.quotaBytes ?? 0) / size) }, () => size);
    const sessions: SessionCalls[] = [];
    for (const [index, bytes] of sizes.entries()) {
      sessions.push((await openSession(elsewhere, { filename: `${index}`, size: bytes })).calls);
    }
    const more = { body: { filename: 'more', size } };
    await inDrive(ann, other).refused(413, 2413, 'POST', SESSIONS, more);
    for (const calls of sessions) ok(await calls.cancel());
    const { calls } = await openSession(inDrive(ann, other), more.body);
    ok(await calls.cancel());
  });

  test('is refused for a viewer', async () => {
    await vicThere.refused(403, 2403, 'POST', SESSIONS, { body: { filename: 'x', size: 5 } });
    const headers = { 'upload-length': '5', 'upload-metadata': metadataOf({ filename: 'x' }) };
    assertTus(await askTus(vicThere, 'POST', TUS, { headers }), 403);
    await vicThere.refused(403, 1002, 'POST', '/api/files/upload', { body: formOf('/x', 'x') });
  });
});

describe('a legacy upload in a shared drive', () => {
  const file = { path: '/legacy', filename: 'legacy', size: 5 };
  const initiate = (person: Person) =>
    person.ask<UploadTarget>('POST', '/api/files/upload/initiate', { body: file });

  test('has an uploadUrl that works without the header', async () => {
    const { uploadUrl, method, headers, storageName } = await initiate(bobThere);
    assert.equal(new URL(uploadUrl, bob.url).searchParams.get('drive'), String(drive));
    await bob.ask(method, uploadUrl, { body: Buffer.from('bytes'), headers });
    const body = { ...file, storageName };
    await bob.refused(404, 1003, 'POST', '/api/files/upload/complete', { body });
    await bobThere.ask('POST', '/api/files/upload/complete', { body });
    assert.deepEqual(await annThere.names('/legacy'), ['legacy']);
  });

  test('belongs to its maker: another editor gets 404', async () => {
    const { uploadUrl, method, headers, storageName } = await initiate(bobThere);
    const bytes = { body: Buffer.from('bytes'), headers };
    await annThere.refused(404, 1003, method, uploadUrl, bytes);
    await bob.ask(method, uploadUrl, bytes);
    const body = { ...file, filename: 'taken over', storageName };
    await annThere.refused(404, 1003, 'POST', '/api/files/upload/complete', { body });
    await bobThere.ask('POST', '/api/files/upload/complete', { body });
  });
});

describe('a tus upload in a shared drive', () => {
  test('is created with the header, and its Location works without it', async () => {
    const upload = await TusUpload.create(bobThere, 'by header', 5, { path: '/tus' });
    assert.equal(upload.path, `${TUS}/${upload.id}?drive=${drive}`);
    const without = upload.by(bob);
    assertTus(await without.patch(0, 'by'), 204);
    assert.equal(await without.offset(), 2);
    // A client that sends the header with every request names the same drive twice.
    assertTus(await upload.patch(2, 'tes'), 204);
    const { status, fileId } = ok(await new SessionCalls(bobThere, upload.id).get());
    assert.equal(status, 'COMPLETED');
    assert.equal(String(await annThere.download({ id: fileId ?? 0 })), 'bytes');
    assert.deepEqual(await bob.names(), OWN_NAMES);
  });

  test('is created with the parameter', async () => {
    const headers = {
      'upload-length': '0',
      'upload-metadata': metadataOf({ filename: 'empty', path: '/tus' }),
    };
    const created = await askTus(bob, 'POST', `${TUS}?drive=${drive}`, { headers });
    assertTus(created, 201);
    assert.match(created.headers.get('location') ?? '', new RegExp(`\\?drive=${drive}$`));
    assert.ok((await annThere.names('/tus')).includes('empty'));
  });

  test('has the size limit of the drive', async () => {
    const {
      maxUploadBytes,
      quotaBytes,
      usedBytes: used,
    } = (await listDrives(bob)).find(({ id }) => id === drive) ?? {
      maxUploadBytes: 0,
      quotaBytes: 0,
      usedBytes: 0,
    };
    const { headers } = await askTus(bobThere, 'OPTIONS', TUS);
    assert.equal(Number(headers.get('tus-max-size')), Math.min(maxUploadBytes, quotaBytes - used));
  });

  for (const [name, headers] of WRONG_DRIVES) {
    test(`is 404 in ${name}`, async () => {
      const upload = await TusUpload.create(bobThere, 'x', 5);
      const address = `${TUS}/${upload.id}`;
      for (const method of ['HEAD', 'DELETE'])
        assertTus(await askTus(bob, method, address, { headers }), 404);
      assertTus(await upload.end(), 204);
    });
  }

  test('is 400 if header and Location name different drives', async () => {
    const upload = await TusUpload.create(bobThere, 'x', 5);
    assertTus(await upload.by(inDrive(bob, other)).head(), 400);
    assertTus(await upload.end(), 204);
  });

  test('belongs to its maker: another editor gets 404', async () => {
    const upload = await TusUpload.create(bobThere, 'x', 5);
    const foreign = upload.by(annThere);
    assertTus(await foreign.head(), 404);
    assertTus(await foreign.patch(0, 'bytes'), 404);
    assertTus(await foreign.end(), 404);
    assert.equal(await upload.offset(), 0);
    assertTus(await upload.end(), 204);
  });

  test('is gone after its maker was demoted, even when the maker is an editor again', async () => {
    const upload = await TusUpload.create(bobThere, 'demoted', 5);
    assertTus(await upload.patch(0, 'byte'), 204);
    ok(await setRole(ann, drive, bob, 'VIEWER'));
    assertTus(await upload.head(), 403);
    ok(await setRole(ann, drive, bob, 'EDITOR'));
    assertTus(await upload.head(), 410);
    assertTus(await upload.patch(4, 's'), 410);
  });
});

test('one member has at most 2,000 open sessions in a shared drive, but more in the personal drive', async () => {
  const { id } = await createDrive(ann, 'Crowded', [{ person: bob, role: 'EDITOR' }]);
  const [annHere, bobHere] = [inDrive(ann, id), inDrive(bob, id)];
  const file = { filename: 'announced', size: 0 };
  for (const person of [bobHere, bob]) {
    const { session } = await openSession(person, file);
    await copySession(session.sessionId, 1_999);
  }
  assertRefused(await announce(bobHere), 400);
  ok(await announce(annHere));
  ok(await announce(bob));
  assert.equal((await setRole(ann, id, bob, 'VIEWER')).status, 200);
});

const announce = (person: Person) =>
  person.call('POST', SESSIONS, { body: { filename: 'one more', size: 0 } });

/** Inserts as many more sessions like this one. */
async function copySession(id: string, count: number): Promise<void> {
  await holdall.app.database.transact(async (tx) => {
    const row = await tx
      .selectFrom('upload_session')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (let start = 0; start < count; start += 400) {
      const copies = Array.from({ length: Math.min(400, count - start) }, () => ({
        ...row,
        id: randomUUID(),
        object_key: randomUUID(),
      }));
      await tx.insertInto('upload_session').values(copies).execute();
    }
  });
}
