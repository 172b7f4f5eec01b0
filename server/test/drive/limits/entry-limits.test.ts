// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { ShareLink, ShareSummary } from '../../../src/shares/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { formOf, type Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { withoutDirect } from '../../support/storage/change-policy.ts';
import { ArchiveTasks, TestAttempt } from '../../support/tasks/archive-tasks.ts';
import { type PeerSession, TRANSFERS } from '../../support/transfer/transfer.ts';
import { askTus, assertTus, metadataOf, TUS } from '../../support/uploads/tus.ts';
import { openSession, SESSIONS } from '../../support/uploads/upload-session.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';

const MAX_TREE = 6;

const env = { HOLDALL_DEFAULT_DIRECTORIES: 'Documents' };
const holdall = await startHoldall({ env, maxTreeEntries: MAX_TREE });
await withoutDirect(holdall);
const admin = await holdall.admin();
const tasks = new ArchiveTasks(holdall);

const entryCountOf = async (person: Person) =>
  (await person.ask<{ entryCount: number }>('GET', '/api/user/profile')).entryCount;

/** Limits the account to `more` entries beyond those that it has now. */
async function allowEntries(person: Person, more: number): Promise<void> {
  const body = { maxEntries: (await entryCountOf(person)) + more };
  await admin.ask('PATCH', `/api/admin/users/${person.id}/max-entries`, { body });
}

/** Creates a tree with that many entries. */
async function makeTree(person: Person, path: string, entries: number): Promise<EntryRecord> {
  const tree = await person.mkdir(path);
  for (let number = 1; number < entries; number += 1) await person.mkdir(`${path}/${number}`);
  return tree;
}

const linkOf = (entry: EntryRecord, owner: Person) =>
  owner.ask<ShareLink>('POST', `/api/files/${entry.id}/share-links`);

afterEach(() => checkBooks(holdall));

interface Way {
  readonly title: string;
  /** The number of entries that the operation creates, including missing directories. */
  readonly entries: number;
  /** Prepares the operation. Returns a function that runs it and returns the HTTP status. */
  readonly prepare: (person: Person, other: Person) => Promise<() => Promise<number>>;
}

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** Runs a task. Returns the HTTP status that a request would get for the same result. */
async function runTask(run: Promise<void>): Promise<number> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 200;
  assert.match(String(error), /too many files and directories|your drive may get \d+ more/);
  return 413;
}

const WAYS: readonly Way[] = [
  {
    title: 'a directory with its parents',
    entries: 3,
    prepare: async (person) => () =>
      statusOf(person.call('POST', '/api/files/mkdir', { body: { path: '/a/b/c' } })),
  },
  {
    title: 'an upload by form',
    entries: 2,
    prepare: async (person) => () =>
      statusOf(person.call('POST', '/api/files/upload', { body: formOf('/new/file', '') })),
  },
  {
    title: 'an upload session',
    entries: 2,
    prepare: async (person) => {
      const { calls } = await openSession(person, { path: '/new', filename: 'file', size: 4 });
      await calls.send('four');
      return () => statusOf(calls.complete());
    },
  },
  {
    title: 'an upload by tus',
    entries: 1,
    prepare: async (person) => async () => {
      const headers = { 'upload-length': '0', 'upload-metadata': metadataOf({ filename: 'empty' }) };
      const answer = await askTus(person, 'POST', TUS, { headers });
      if (answer.status !== 201) assertTus(answer, 413);
      return answer.status === 201 ? 200 : answer.status;
    },
  },
  {
    title: 'a copy of a tree',
    entries: 3,
    prepare: async (person) => {
      const { id } = await makeTree(person, '/tree', 3);
      return () => statusOf(person.call('POST', `/api/files/${id}/copy`, { body: { path: '/Documents' } }));
    },
  },
  {
    title: 'an import of a share into a new directory',
    entries: 2,
    prepare: async (person, other) => {
      const file = await other.upload('/shared', 'x');
      const share = { body: { fileId: file.id } };
      const { token } = await other.ask<ShareSummary>('POST', '/api/v2/shares', share);
      const body = { path: '/imported' };
      return () => statusOf(person.call('POST', `/api/v2/shares/${token}/import`, { body }));
    },
  },
  {
    title: 'an import of a share link',
    entries: 3,
    prepare: async (person, other) => {
      const { token } = await linkOf(await makeTree(other, '/linked', 3), other);
      return () => statusOf(person.call('POST', `/api/files/share-links/${token}/import`, { body: {} }));
    },
  },
  {
    title: 'an import of a file of a quick transfer',
    entries: 2,
    prepare: async (person, other) => {
      const body = { mode: 'OFFLINE', files: [{ name: 'letter', size: 1 }] };
      const made = await other.ask<PeerSession>('POST', TRANSFERS, { body });
      const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}`;
      const headers = { 'content-type': 'application/octet-stream' };
      await other.ask('POST', `${url}/content`, { body: 'x', headers });
      return () => statusOf(person.call('POST', `${url}/import`, { body: { path: '/received' } }));
    },
  },
  {
    title: 'a restored entry whose directory is gone',
    entries: 1,
    prepare: async (person) => {
      const file = await person.upload('/gone/file', '');
      const [gone] = (await person.list()).items.filter(({ filename }) => filename === 'gone');
      await person.recycle(file);
      await person.recycle(gone ?? assert.fail());
      return () => statusOf(person.call('POST', `/api/files/recycle-bin/${file.id}/restore`));
    },
  },
  {
    title: 'an archive task',
    entries: 1,
    prepare: async (person) => {
      const entry = await person.upload('/file', 'x');
      return () => runTask(tasks.runArchive(new TestAttempt(person, entry)));
    },
  },
  {
    title: 'an extract task',
    entries: 3,
    prepare: async (person) => {
      const bytes = new Uint8Array(forgeZip([{ name: 'a/b', content: 'x' }, { name: 'c' }]));
      const entry = await person.upload('/archive.zip', bytes);
      return () => runTask(tasks.runExtract(new TestAttempt(person, entry)));
    },
  },
];

describe('the entries of an account', () => {
  for (const { title, entries, prepare } of WAYS) {
    it(`are limited and counted: ${title}`, async () => {
      const person = await holdall.register();
      const act = await prepare(person, await holdall.register('other'));
      await allowEntries(person, entries - 1);
      const [before, count] = [await person.state(), await entryCountOf(person)];
      assert.equal(await act(), 413);
      assert.deepEqual([await person.state(), await entryCountOf(person)], [before, count]);
      await allowEntries(person, entries);
      assert.equal(await act(), 200);
      assert.equal(await entryCountOf(person), count + entries);
    });
  }

  it('count in the recycle bin until they are purged', async () => {
    const person = await holdall.register();
    const tree = await makeTree(person, '/tree', 5);
    assert.equal(await entryCountOf(person), 6);
    await person.recycle(tree);
    assert.equal(await entryCountOf(person), 6);
    await person.restore(tree);
    await person.recycle(tree);
    await allowEntries(person, 0);
    await person.refused(413, 1003, 'POST', '/api/files/mkdir', { body: { path: '/more' } });
    await person.purge(tree);
    assert.equal(await entryCountOf(person), 1);
    await person.mkdir('/more');
  });

  it('beyond the limit are rejected with the error code of each API family', async () => {
    const person = await holdall.register();
    await allowEntries(person, 0);
    const message = /too many files and directories/;
    const form = { body: formOf('/file', 'x') };
    assert.match((await person.refused(413, 1003, 'POST', '/api/files/upload', form)).msg, message);
    const session = { body: { path: '/', filename: 'file', size: 4 } };
    assert.match((await person.refused(413, 2413, 'POST', SESSIONS, session)).msg, message);
  });
});

describe('one operation', () => {
  it(`copies, imports and downloads ${MAX_TREE} entries, but not one more`, async () => {
    const [person, other] = [await holdall.register(), await holdall.register('other')];
    const [most, more] = [
      await makeTree(other, '/most', MAX_TREE),
      await makeTree(other, '/more', MAX_TREE + 1),
    ];
    const body = { path: '/Documents' };
    const pathOfImport = async (tree: EntryRecord) =>
      `/api/files/share-links/${(await linkOf(tree, other)).token}/import`;
    const acts: readonly (readonly [Person, (tree: EntryRecord) => Promise<string>])[] = [
      [other, async ({ id }) => `/api/files/${id}/copy`],
      [person, pathOfImport],
    ];
    for (const [actor, pathOf] of acts) {
      const before = await actor.state();
      const { msg } = await actor.refused(413, 1003, 'POST', await pathOf(more), { body });
      assert.equal(msg, `More than ${MAX_TREE} files and directories cannot be copied at once.`);
      assert.deepEqual(await actor.state(), before);
      await actor.ask<EntryRecord>('POST', await pathOf(most), { body });
    }
    assert.ok((await other.download(most)).byteLength > 0);
    const { msg } = await other.refused(413, 1003, 'GET', `/api/files/download/${more.id}`);
    assert.equal(msg, `More than ${MAX_TREE} files and directories cannot be downloaded at once.`);
  });
});
