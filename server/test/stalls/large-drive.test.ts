// tier: full
// runs on: sqlite
// SQLite runs on the event loop, so work on many entries must let other requests have their turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLong } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { createLargeTree } from '../support/stalls/large-drive.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';
import { MeasuredService } from '../support/stalls/measured-service.ts';
import { queueTask, waitForStatus } from '../support/tasks/tasks.ts';

/** Two trees; one alone is within the limits of a copy. */
const SIZE = isLong ? { directories: 100, files: 950 } : { directories: 4, files: 500 };
const LIMIT_MS = isLong ? 1_200_000 : 120_000;
const TIMEOUT = { timeout: LIMIT_MS };

const service = await MeasuredService.start();
const [person, friend, admin] = [
  await service.logIn('lara'),
  await service.logIn('mona'),
  await service.logIn('ruth', 'ADMIN'),
];
const large = await createLargeTree(service.database, person, '/Large', SIZE);
await createLargeTree(service.database, person, '/Other', SIZE);
const link = await person.ask<{ token: string }>('POST', `/api/files/${large.id}/share-links`);

let copies = 0;
const targetOf = async (whose = person) => {
  copies += 1;
  return (await whose.mkdir(`/Target ${copies}`)).path;
};

const READS = [
  ...[
    'path=/Large',
    'path=/Large/level 00001&size=1000',
    'path=/Large/level 00001&sort=size&page=400&size=1',
  ].map((query) => `/api/files/list?${query}`),
  ...[
    'name=file',
    'name=zzz',
    'name=00',
    'type=file',
    'sizeGte=1&page=100',
    'name=e&path=/Large',
    'updatedGte=1970-01-01',
    'q=e i&kind=DOCUMENT',
    'kind=ARCHIVE',
  ].map((query) => `/api/v2/files/search?${query}&size=1000`),
  ...[`/api/v2/files/${large.id}`, '/api/v2/files/starred?size=1000'],
  ...[
    '/api/v2/files/timeline?size=1000',
    '/api/v2/files/timeline?size=1000&page=40',
    '/api/v2/files/timeline/months',
  ],
  ...['/api/files/recent?size=1000', '/api/files/recycle-bin?size=1000', '/api/v2/files/changes?limit=1000'],
  ...[`/api/files/share-links/${link.token}`, '/api/user/profile', '/api/v2/tasks', '/api/v2/shares/mine'],
];

const ADMIN_READS = [
  ...['files?size=1000', 'files?query=file&size=1000', 'files?query=zzz', 'files?ownerQuery=lara&page=90'],
  ...[
    'file-blobs?size=1000',
    'file-blobs?objectKey=zzz',
    'file-blobs?userQuery=lara',
    'shares',
    'tasks',
    'audits',
  ],
  ...['users?size=1000', 'users?query=zzz', 'summary', 'filesystem', 'settings', 'storage-policies'],
].map((path) => `/api/admin/${path}`);

for (const path of READS) stallTest(`GET ${path}`, () => person.ask('GET', encodeURI(path)));
for (const path of ADMIN_READS) stallTest(`GET ${path}`, () => admin.ask('GET', encodeURI(path)));

stallTest('renaming a large directory', async () => {
  await person.rename(large, 'Renamed');
  await person.rename(large, 'Large');
});

stallTest('moving a large directory', async () => {
  await person.move(large, await targetOf());
  await person.move(large, '/');
});

stallTest('copying a large directory', async () => {
  await person.copy(large, await targetOf());
});

stallTest('importing a large directory', async () => {
  await friend.ask('POST', `/api/files/share-links/${link.token}/import`, {
    body: { path: await targetOf(friend) },
  });
});

stallTest('downloading a large directory', async () => {
  const response = await person.fetch('GET', `/api/files/download/${large.id}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
  assert.equal(bytes, Number(response.headers.get('content-length')));
});

stallTest('HEAD of the ZIP of a large directory', async () => {
  assert.equal((await person.fetch('HEAD', `/api/files/download/${large.id}`)).status, 200);
});

stallTest('archiving a large directory', async () => {
  const directory = await person.move(large, await targetOf());
  await waitForStatus(person, await queueTask(person, directory), 'COMPLETED', LIMIT_MS);
  await person.move(large, '/');
});

let archive: EntryRecord | undefined;
stallTest('extracting a large archive', async () => {
  archive ??= (await person.list(`/Target ${copies}`)).items.find(({ filename }) => filename === 'Large.zip');
  assert.ok(archive);
  archive = await person.move(archive, await targetOf());
  const { id, path } = archive;
  await waitForStatus(
    person,
    await queueTask(person, { id, path }, { type: 'EXTRACT' }),
    'COMPLETED',
    LIMIT_MS,
  );
});

stallTest('recycling and restoring a large directory', async () => {
  await person.recycle(large);
  await person.restore(large);
});

stallTest('purging a large directory', async () => {
  const copy = await person.copy(large, await targetOf());
  await person.recycle(copy);
  await person.purge(copy);
});

function stallTest(what: string, act: () => Promise<unknown>): void {
  test(`${what} does not stop the service`, TIMEOUT, async (t) => {
    const block = await measureBlock(act, (work) => service.measureBlock(work));
    t.diagnostic(`${block.toFixed(1)} ms`);
    assert.ok(block <= MAX_BLOCK_MS, `the event loop was blocked for ${block.toFixed(0)} ms`);
  });
}
