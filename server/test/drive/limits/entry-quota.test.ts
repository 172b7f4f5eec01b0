// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { formOf, type Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../../support/checks/race.ts';
import { isPostgres } from '../../support/database/test-database.ts';

const MAX_ENTRIES = 20;

// The first directory of a drive counts, its root does not.
const env = { HOLDALL_DEFAULT_MAX_ENTRIES: String(MAX_ENTRIES), HOLDALL_DEFAULT_DIRECTORIES: 'Documents' };
const holdall = await startHoldall({ env });
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];

/** Registers a user, with one client for each instance. */
async function registerAtAll(): Promise<{ person: Person; clients: readonly Person[] }> {
  const person = await holdall.register();
  return { person, clients: atEveryInstance(person, urls) };
}

const upload = (person: Person, path: string, content = '') =>
  person.call<EntryRecord>('POST', '/api/files/upload', { body: formOf(path, content) });
const mkdir = (person: Person, path: string) =>
  person.call<EntryRecord>('POST', '/api/files/mkdir', { body: { path } });
const copy = (person: Person, { id }: { id: number }, path: string) =>
  person.call<EntryRecord>('POST', `/api/files/${id}/copy`, { body: { path } });

async function entryCountOf(person: Person): Promise<number> {
  const { db } = holdall.app.database;
  const driveId = person.driveId;
  const row = await db.selectFrom('drive').select('entry_count').where('id', '=', driveId).executeTakeFirst();
  return row?.entry_count ?? assert.fail(`no drive ${driveId}`);
}

afterEach(() => checkBooks(holdall));

describe('of many requests that race for the last entries of an account', () => {
  it('exactly as many directories are created as fit', async () => {
    const { person, clients } = await registerAtAll();
    const answers = await race(clients, 40, (each, index) => mkdir(each, `/directory-${index}`));
    assert.deepEqual(countStatuses(answers), { 200: 19, 413: 21 });
    assert.equal(await entryCountOf(person), MAX_ENTRIES);
  });

  it('exactly as many empty files are uploaded as fit with the directories that they need', async () => {
    const { person, clients } = await registerAtAll();
    const answers = await race(clients, 40, (each, index) => upload(each, `/new-${index}/empty`));
    assert.deepEqual(countStatuses(answers), { 200: 9, 413: 31 });
    assert.equal(await entryCountOf(person), 19);
  });

  it('exactly as many copies of a tree are made as fit', async () => {
    const { person, clients } = await registerAtAll();
    const tree = await person.mkdir('/tree');
    await person.upload('/tree/deep/file', 'x');
    for (let index = 0; index < 4; index += 1) await person.mkdir(`/to-${index}`);
    // The drive has 8 entries, and each copy adds 3.
    const answers = await race(clients, 4, (each, index) => copy(each, tree, `/to-${index}`));
    assert.deepEqual(countStatuses(answers), { 200: 4 });
    assert.equal((await copy(person, tree, '/Documents')).status, 413);
    assert.equal(await entryCountOf(person), MAX_ENTRIES);
  });

  it('none exceeds the limit while others purge at the same time', async () => {
    const { person, clients } = await registerAtAll();
    const files = await race(clients, 19, (each, index) => each.upload(`/old-${index}`, ''));
    for (const file of files) await person.recycle(file);
    const [purged, made] = await Promise.all([
      race(clients, 19, (each, index) =>
        each.call('DELETE', `/api/files/recycle-bin/${(files[index] as EntryRecord).id}`),
      ),
      race(clients, 30, (each, index) => mkdir(each, `/new-${index}`)),
    ]);
    assert.deepEqual(countStatuses(purged), { 200: 19 });
    const created = countStatuses(made)[200] ?? 0;
    assert.ok(created <= 19, `${created}`);
    assert.equal(await entryCountOf(person), 1 + created);
  });
});
