// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { UploadTarget } from '../../../src/http/fields.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { formOf, type Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { withoutDirect } from '../../support/storage/change-policy.ts';
import { queueTask, waitForStatus } from '../../support/tasks/tasks.ts';
import { TusUpload } from '../../support/uploads/tus.ts';
import { ok, openSession } from '../../support/uploads/upload-session.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';
import { readBack } from '../../support/zip/zip-reading.ts';

const TAKEN = '2019-07-06T05:04:03.210Z';
const holdall = await startHoldall();
let alice: Person;

before(async () => {
  await withoutDirect(holdall);
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

const uploadWith = (path: string, modifiedAt: string, content = 'x') => {
  const form = formOf(path, content);
  form.set('modifiedAt', modifiedAt);
  return alice.ask<EntryRecord>('POST', '/api/files/upload', { body: form });
};

describe('modifiedAt is what the client sent', () => {
  test('in the form of an upload, or its query', async () => {
    assert.equal((await uploadWith('/form.txt', TAKEN)).modifiedAt, TAKEN);
    assert.equal((await uploadWith('/zone.txt', '2019-07-06T07:04:03.210+02:00')).modifiedAt, TAKEN);
    const query = `/api/files/upload?modifiedAt=${TAKEN}`;
    const record = await alice.ask<EntryRecord>('POST', query, { body: formOf('/query.txt', 'x') });
    assert.equal(record.modifiedAt, TAKEN);
    assert.equal((await alice.list('/', { sort: 'modifiedAt' })).items[0]?.modifiedAt, TAKEN);
  });

  test('in the request that initiates a legacy upload', async () => {
    const body = { path: '/', filename: 'legacy.txt', size: 1, modifiedAt: TAKEN };
    const target = await alice.ask<UploadTarget>('POST', '/api/files/upload/initiate', { body });
    const { pathname, search } = new URL(target.uploadUrl);
    await alice.ask('PUT', `${pathname}${search}`, { body: 'x', headers: target.headers });
    const { storageName } = target;
    const done = { path: '/', filename: 'legacy.txt', storageName };
    const record = await alice.ask<EntryRecord>('POST', '/api/files/upload/complete', { body: done });
    assert.equal(record.modifiedAt, TAKEN);
  });

  test('in an upload session', async () => {
    const announced = { filename: 'session.txt', size: 1, modifiedAt: TAKEN };
    const { session, calls } = await openSession(alice, announced);
    assert.equal(session.modifiedAt, TAKEN);
    ok(await calls.send('x'));
    const { fileId } = ok(await calls.complete());
    assert.equal((await alice.details({ id: fileId ?? 0 })).modifiedAt, TAKEN);
  });

  test('in the metadata of a tus upload', async () => {
    await TusUpload.create(alice, 'tus.txt', 0, { modifiedAt: TAKEN });
    const entry = (await alice.list('/', { size: 100 })).items.find(({ filename }) => filename === 'tus.txt');
    assert.equal(entry?.modifiedAt, TAKEN);
  });

  test('or the upload time if the client sent none', async () => {
    for (const record of [await alice.upload('/plain.txt', 'x'), await alice.mkdir('/directory')]) {
      assert.equal(record.modifiedAt, record.createdAt);
    }
    const { session } = await openSession(alice, { filename: 'never', size: 1 });
    assert.equal(session.modifiedAt, null);
  });

  test('and an upload with an invalid time is rejected', async () => {
    for (const bad of ['yesterday', '2019-02-30T00:00:00Z', `${TAKEN}${' '.repeat(100)}x`]) {
      const form = formOf('/bad.txt', 'x');
      form.set('modifiedAt', bad);
      await alice.refused(400, 1000, 'POST', '/api/files/upload', { body: form });
    }
    const body = { filename: 'bad.txt', size: 1, modifiedAt: 'now' };
    await alice.refused(400, 2400, 'POST', '/api/v2/files/upload-sessions', { body });
    assert(!(await alice.names('/')).includes('bad.txt'));
  });
});

test('renaming and moving change only updatedAt', async () => {
  const file = await uploadWith('/to-rename.txt', TAKEN);
  const renamed = await alice.rename(file, 'renamed.txt');
  assert.deepEqual([renamed.modifiedAt, renamed.updatedAt >= file.updatedAt], [TAKEN, true]);
  await alice.mkdir('/moved');
  assert.equal((await alice.move(file, '/moved')).modifiedAt, TAKEN);
  await alice.recycle(file);
  assert.equal((await alice.bin()).items[0]?.modifiedAt, TAKEN);
  assert.equal((await alice.restore(file)).modifiedAt, TAKEN);
});

test('copies and imports keep modifiedAt, at every depth', async () => {
  await uploadWith('/tree/deep/er/file.txt', TAKEN);
  const tree = (await alice.list('/')).items.find(({ filename }) => filename === 'tree');
  assert.ok(tree);
  await alice.mkdir('/copies');
  await alice.copy(tree, '/copies');
  assert.equal((await alice.list('/copies/tree/deep/er')).items[0]?.modifiedAt, TAKEN);

  const bob = await holdall.register('bob');
  const link = await alice.ask<{ token: string }>('POST', `/api/files/${tree.id}/share-links`);
  await bob.ask('POST', `/api/files/share-links/${link.token}/import`, { body: { path: '/from alice' } });
  assert.equal((await bob.list('/from alice/tree/deep/er')).items[0]?.modifiedAt, TAKEN);
  const file = (await alice.list('/copies/tree/deep/er')).items[0];
  const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file?.id } });
  const imported = await bob.ask<EntryRecord>('POST', `/api/v2/shares/${share.token}/import`, { body: {} });
  assert.equal(imported.modifiedAt, TAKEN);
});

describe('an archive', () => {
  const toSeconds = (time: string) => Math.floor(Date.parse(time) / 1_000) * 1_000;

  test('contains the times of its files, whether it is downloaded or made by a task', async () => {
    const file = await uploadWith('/packed/file.txt', TAKEN);
    const directory = (await alice.list('/')).items.find(({ filename }) => filename === 'packed');
    assert.ok(directory);
    const archives = [await alice.download(directory)];
    for (const source of [directory, file]) {
      await waitForStatus(alice, await queueTask(alice, source), 'COMPLETED');
      const { items } = await alice.list(source.parentPath, { size: 100 });
      const archive = items.find(({ filename }) => filename === `${source.filename}.zip`);
      assert.ok(archive);
      archives.push(await alice.download(archive));
    }
    for (const archive of archives) {
      const found = (await readBack(archive)).find(({ entry }) => entry.fileName.endsWith('file.txt'));
      assert.equal(found?.entry.getLastModDate().getTime(), toSeconds(TAKEN));
    }
  });

  test('gives its times to the extracted files, except times outside the calendar', async () => {
    const seconds = Math.floor(Date.parse(TAKEN) / 1_000);
    const unix = Buffer.alloc(9);
    unix.writeUInt16LE(0x5455, 0);
    unix.writeUInt16LE(5, 2);
    unix[4] = 1;
    unix.writeInt32LE(seconds, 5);
    const ntfs = Buffer.alloc(36);
    ntfs.writeUInt16LE(0x000a, 0);
    ntfs.writeUInt16LE(32, 2);
    ntfs.writeUInt16LE(1, 8);
    ntfs.writeUInt16LE(24, 10);
    ntfs.writeBigUInt64LE((BigInt(seconds) + 11_644_473_600n) * 10_000_000n + 2_100_001n, 12);
    const absurd = Buffer.from(ntfs);
    absurd.writeBigUInt64LE(0x7fffffffffffffffn, 12);
    const entry = (name: string, extra: Buffer) => ({ name, content: name, crc32: crc32(name), extra });
    const zip = forgeZip([entry('unix', unix), entry('ntfs', ntfs), entry('absurd', absurd)]);
    const archive = await alice.upload('/unpack/times.zip', new Uint8Array(zip));
    await waitForStatus(alice, await queueTask(alice, archive, { type: 'EXTRACT' }), 'COMPLETED');
    const { items } = await alice.list('/unpack', { size: 10 });
    const timeOf = (name: string) => items.find(({ filename }) => filename === name)?.modifiedAt;
    assert.equal(Date.parse(timeOf('unix') ?? ''), seconds * 1_000);
    assert.equal(Date.parse(timeOf('ntfs') ?? ''), seconds * 1_000 + 210);
    assert.ok(Math.abs(Date.parse(timeOf('absurd') ?? '') - holdall.clock.now()) < 60_000);
  });
});
