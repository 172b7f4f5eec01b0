// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { TaskRecord } from '../../../src/tasks/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { queueTask, TASKS, waitForStatus } from '../../support/tasks/tasks.ts';

const ARCHIVE = `${TASKS}/archive`;
const holdall = await startHoldall();
const alice = await holdall.register('alice');

async function archived(body: object): Promise<TaskRecord> {
  const task = await alice.ask<TaskRecord>('POST', ARCHIVE, { body });
  return waitForStatus(alice, task, 'COMPLETED');
}

/** Unpacks an archive into a new directory, and returns what it contained. */
async function contentOf(directory: string, name: string): Promise<readonly string[]> {
  const archive = (await alice.list(directory)).items.find(({ filename }) => filename === name);
  assert.ok(archive, name);
  const moved = await alice.move(archive, (await alice.mkdir(`/unpacked ${archive.id}`)).path);
  await waitForStatus(alice, await queueTask(alice, moved, { type: 'EXTRACT' }), 'COMPLETED');
  await alice.recycle(moved);
  const tree = await alice.tree(moved.parentPath);
  return tree.map(({ path }) => path.slice(moved.parentPath.length + 1)).sort();
}

test('several files and directories become one archive in the directory of the request', async () => {
  const one = await alice.upload('/a/letter.txt', 'one');
  const two = await alice.upload('/b/letter.txt', 'two');
  const tree = await alice.mkdir('/tree');
  await alice.upload('/tree/below/file', 'three');
  await alice.mkdir('/to');
  const { publicStateJson: state } = await archived({
    fileIds: [one.id, two.id, tree.id, one.id],
    path: '/to',
    name: 'Trip',
  });
  assert.deepEqual([state.path, state.filename, state.totalFileCount], ['/to/Trip.zip', 'Trip.zip', 3]);
  assert.deepEqual(await contentOf('/to', 'Trip.zip'), [
    'letter (2).txt',
    'letter.txt',
    'tree',
    'tree/below',
    'tree/below/file',
  ]);
  await checkBooks(holdall);
});

test('the archive is called Archive.zip by default, and its name must be free', async () => {
  const { id } = await alice.upload('/default', 'x');
  await archived({ fileIds: [id], path: '/' });
  assert.deepEqual(await contentOf('/', 'Archive.zip'), ['default']);
  await alice.upload('/Archive.zip', 'taken');
  await alice.refused(409, 2409, 'POST', ARCHIVE, { body: { fileIds: [id], path: '/' } });
});

test('a second request with the same correlation id returns the first task', async () => {
  const { id } = await alice.upload('/correlated', 'x');
  const body = { fileIds: [id], path: '/', name: 'correlated.zip', correlationId: 'same' };
  const first = await archived(body);
  const second = await alice.ask<TaskRecord>('POST', ARCHIVE, { body });
  assert.equal(second.id, first.id);
});

const file = await alice.upload('/file', 'x');
const bob = await holdall.register('bob');
const foreign: EntryRecord = await bob.upload('/file', 'x');
for (const [what, status, body] of [
  ['without an id', 400, { path: '/' }],
  ['with an id and a list', 400, { fileId: file.id, fileIds: [file.id], path: '/' }],
  ['with an empty list', 400, { fileIds: [], path: '/' }],
  [
    'with more than a thousand ids',
    400,
    { fileIds: Array.from({ length: 1_001 }, (_, id) => id + 1), path: '/' },
  ],
  ['with a name that is a path', 400, { fileIds: [file.id], path: '/', name: 'a/b' }],
  ['without a directory', 404, { fileIds: [file.id], path: '/missing' }],
  ['with a file as directory', 404, { fileIds: [file.id], path: '/file' }],
  ['with an unknown entry', 404, { fileIds: [file.id, 999_999_999], path: '/' }],
  ["with another account's entry", 404, { fileIds: [foreign.id], path: '/' }],
] as const) {
  test(`a request ${what} is rejected`, async () => {
    await alice.refused(status, 2_000 + status, 'POST', ARCHIVE, { body });
  });
}
