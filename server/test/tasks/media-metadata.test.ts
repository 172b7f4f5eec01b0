// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { UploadTarget } from '../../src/http/fields.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { buildExif, little } from '../support/media/exif-files.ts';
import { makeHeif, makeJpeg } from '../support/media/media-files.ts';
import { makePng } from '../support/media/pictures.ts';
import { getTask, listTasks, queueTask, retryTask, waitFor, waitForStatus } from '../support/tasks/tasks.ts';

const holdall = await startHoldall();
const { db } = holdall.app.database;

const metadataOf = async (person: Person, file: { id: number }) => (await person.details(file)).metadata;

/** The same user at another instance. */
const at = ({ url }: { url: string }, { username, login }: Person) => new Person(username, url).with(login);

const waitForMetadata = (person: Person, file: { id: number }) =>
  waitFor(
    () => metadataOf(person, file),
    (metadata) => Object.keys(metadata).length > 0,
    'the metadata',
  );

function makeOlympusRaw(): Buffer<ArrayBuffer> {
  const size = [
    [256, 4, little(4, 4_640), 1],
    [257, 4, little(4, 3_472), 1],
  ] as const;
  return buildExif({ main: size, details: [[0x9003, 2, '2026:07:06 07:04:03']] }, 'IIRO');
}

const eventsOf = (file: { id: number }) =>
  db
    .selectFrom('event')
    .select(['event_type', 'to_path'])
    .where('entry_id', '=', file.id)
    .orderBy('id')
    .execute();

describe('an uploaded image', () => {
  it('gets its metadata automatically, once, with an event', async () => {
    const alice = await holdall.register('alice');
    const bytes = makeJpeg(4_032, 3_024, { orientation: 6 });
    const file = await alice.upload('/p/holiday.jpg', bytes, 'image/jpeg');
    assert.deepEqual(await waitForMetadata(alice, file), {
      'media:contentType': 'image/jpeg',
      'media:height': '3024',
      'media:orientation': '6',
      'media:size': String(bytes.length),
      'media:width': '4032',
    });
    const { items } = await listTasks(alice);
    const [task] = items;
    assert.equal(items.length, 1);
    assert.ok(task);
    assert.deepEqual(
      [task.type, task.status, task.correlationId],
      ['MEDIA_META', 'COMPLETED', `media-meta:auto:${file.id}`],
    );
    assert.deepEqual(task.publicStateJson, {
      fileId: file.id,
      path: '/p/holiday.jpg',
      filename: 'holiday.jpg',
      directory: false,
      contentType: 'image/jpeg',
      size: bytes.length,
      metadataStage: 'written',
      phase: 'completed',
      attemptCount: 1,
      maxAttempts: 2,
    });
    assert.deepEqual(await eventsOf(file), [
      { event_type: 'CREATED', to_path: '/p/holiday.jpg' },
      { event_type: 'UPDATED', to_path: '/p/holiday.jpg' },
    ]);
  });

  it('gets its metadata also when it is uploaded in a session', async () => {
    const alice = await holdall.register('alice');
    const bytes = makePng(30, 20);
    const target = await alice.ask<UploadTarget>('POST', '/api/files/upload/initiate', {
      body: { path: '/', filename: 'a.png', contentType: 'image/png', size: bytes.length },
    });
    const sent = await fetch(target.uploadUrl, {
      method: target.method,
      headers: { ...target.headers, ...(target.direct ? {} : { authorization: `Bearer ${alice.token}` }) },
      body: bytes,
    });
    assert.equal(sent.status, 200);
    const file = await alice.ask<EntryRecord>('POST', '/api/files/upload/complete', {
      body: { path: '/', filename: 'a.png', storageName: target.storageName },
    });
    const metadata = await waitForMetadata(alice, file);
    assert.deepEqual([metadata['media:width'], metadata['media:height']], ['30', '20']);
  });

  it('makes its task fail if its content is not an image', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/fake.png', 'this is text', 'image/png');
    const task = await waitFor(
      async () => (await listTasks(alice)).items[0],
      (seen) => seen?.status === 'FAILED',
    );
    assert.equal(task?.failureCategory, 'UNSUPPORTED_INPUT');
    assert.deepEqual(await metadataOf(alice, file), {});
    assert.equal((await retryTask(alice, { id: task?.id ?? 0 })).status, 'QUEUED');
    await waitForStatus(alice, { id: task?.id ?? 0 }, 'FAILED');
  });
});

describe('a raw camera file', () => {
  it('has the type of its extension, and the size and time of its picture', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/card/P7060001.ORF', makeOlympusRaw(), 'application/octet-stream');
    assert.equal(file.contentType, 'image/x-olympus-orf');
    const metadata = await waitForMetadata(alice, file);
    assert.deepEqual(metadata, {
      'media:contentType': 'image/x-olympus-orf',
      'media:height': '3472',
      'media:size': String(file.size),
      'media:takenAt': '2026-07-06T07:04:03',
      'media:width': '4640',
    });
  });
});

describe('any other uploaded file', () => {
  it('queues no task', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/a.bin', 'x');
    await alice.upload('/a.txt', 'x');
    await alice.mkdir('/a.jpg');
    assert.equal((await listTasks(alice)).total, 0);
  });
});

describe('a metadata task', () => {
  it('detects the type from the bytes, whatever the name is', async () => {
    const alice = await holdall.register('alice');
    const film = await alice.upload('/film.jpg', makeHeif(['isom', 'mp42'], []), 'text/x-nothing');
    const task = await waitForStatus(
      alice,
      await queueTask(alice, film, { type: 'MEDIA_META' }),
      'COMPLETED',
    );
    assert.equal(task.publicStateJson.metadataStage, 'written');
    assert.deepEqual(await metadataOf(alice, film), {
      'media:contentType': 'video/mp4',
      'media:size': String(film.size),
    });
  });

  it('replaces earlier media metadata and nothing else', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/a.png', makePng(3, 4), 'image/png');
    await waitForMetadata(alice, file);
    await holdall.app.database.transact(async (tx) => {
      const rows = [
        { entry_id: file.id, name: 'media:old', value: 'gone' },
        { entry_id: file.id, name: 'other', value: 'stays' },
      ];
      await tx.insertInto('entry_metadata').values(rows).execute();
    });
    await waitForStatus(alice, await queueTask(alice, file, { type: 'MEDIA_META' }), 'COMPLETED');
    const metadata = await metadataOf(alice, file);
    assert.deepEqual(Object.keys(metadata), [
      'media:contentType',
      'media:height',
      'media:size',
      'media:width',
      'other',
    ]);
  });

  it('fails if the file was deleted meanwhile', async () => {
    const idle = await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
    const alice = await idle.register('alice');
    const file = await alice.upload('/a.png', makePng(), 'image/png');
    await alice.recycle(file);
    await idle.app.close();
    const busy = await startHoldall({ beside: idle });
    const aliceAtBusy = at(busy, alice);
    const [task] = (await listTasks(aliceAtBusy)).items;
    const failed = await waitForStatus(aliceAtBusy, { id: task?.id ?? 0 }, 'FAILED');
    assert.equal(failed.failureCategory, 'DATA_STATE');
    assert.equal((await getTask(aliceAtBusy, failed)).publicStateJson.phase, 'failed');
  });
});

describe('a copy', () => {
  it('of a file or a tree has the metadata immediately and queues no task', async () => {
    const alice = await holdall.register('alice');
    const files = await Promise.all(
      [1, 2, 3].map((width) => alice.upload(`/tree/${width}/a.png`, makePng(width, 9), 'image/png')),
    );
    for (const file of files) await waitForMetadata(alice, file);
    const { total } = await listTasks(alice);
    await alice.mkdir('/copies');
    const [tree] = (await alice.list('/')).items.filter(({ filename }) => filename === 'tree');
    assert.ok(tree && files[0]);
    const single = await alice.copy(files[0], '/copies');
    assert.equal((await metadataOf(alice, single))['media:width'], '1');
    await alice.copy(tree, '/copies');
    for (const record of await alice.tree('/copies/tree')) {
      if (record.directory) continue;
      const width = record.parentPath.split('/').at(-1);
      assert.equal((await metadataOf(alice, record))['media:width'], width);
    }
    assert.equal((await listTasks(alice)).total, total);
    await checkBooks(holdall);
  });

  it('made before the metadata was known gets it together with the original', async () => {
    const idle = await startHoldall({ env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
    const [alice, bob] = [await idle.register('alice'), await idle.register('bob')];
    const file = await alice.upload('/tree/a.png', makePng(5, 6), 'image/png');
    await alice.mkdir('/copies');
    const copy = await alice.copy(file, '/copies');
    const recycled = await alice.copy(file, '/');
    await alice.recycle(recycled);
    const [tree] = (await alice.list('/')).items.filter(({ filename }) => filename === 'tree');
    const link = await alice.ask<{ token: string }>('POST', `/api/files/${tree?.id}/share-links`);
    await bob.ask('POST', `/api/files/share-links/${link.token}/import`, { body: { path: '/' } });
    await idle.app.close();

    const busy = await startHoldall({ beside: idle });
    const [her, him] = [at(busy, alice), at(busy, bob)];
    for (const each of [file, copy]) assert.equal((await waitForMetadata(her, each))['media:width'], '5');
    assert.equal((await metadataOf(her, await her.restore(recycled)))['media:width'], '5');
    const [imported] = (await him.tree('/tree')).filter(({ directory }) => !directory);
    assert.ok(imported);
    assert.equal((await waitForMetadata(him, imported))['media:width'], '5');
    assert.equal((await listTasks(him)).total, 1);
    assert.equal((await listTasks(her)).total, 1);
  });
});

describe('an imported file', () => {
  it('has the metadata already if it comes from a share, and gets its own task if it comes from a transfer', async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    const file = await alice.upload('/a.png', makePng(8, 9), 'image/png');
    await waitForMetadata(alice, file);
    const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
      body: { fileId: file.id },
    });
    const shared = await bob.ask<EntryRecord>('POST', `/api/v2/shares/${token}/import`, {
      body: { path: '/' },
    });
    assert.equal((await metadataOf(bob, shared))['media:width'], '8');
    assert.equal((await listTasks(bob)).total, 0);

    const bytes = makePng(6, 7);
    const session = await alice.ask<{ sessionId: string; files: { id: string }[] }>(
      'POST',
      '/api/transfer/sessions',
      { body: { mode: 'OFFLINE', files: [{ name: 'b.png', size: bytes.length, contentType: 'image/png' }] } },
    );
    const url = `/api/transfer/sessions/${session.sessionId}/files/${session.files[0]?.id}`;
    const headers = { 'content-type': 'application/octet-stream' };
    await alice.ask('POST', `${url}/content`, { body: bytes, headers });
    const sent = await bob.ask<EntryRecord>('POST', `${url}/import`, { body: { path: '/' } });
    assert.equal((await waitForMetadata(bob, sent))['media:width'], '6');
  });
});
