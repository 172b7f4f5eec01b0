// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { onQueryOfRequest } from '../support/database/request-queries.ts';
import { createManagedDrive, inDrive, type PersonInDrive } from '../support/drives/shared-drives.ts';

let statements = 0;
const holdall = await startHoldall({
  onQuery: onQueryOfRequest(() => {
    statements += 1;
  }),
});
afterEach(() => checkBooks(holdall));

const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
/** The id of an account that does not exist. */
const GONE = 999_999;

/** The drive as both of its editors see it. */
async function makeDrive(name: string): Promise<readonly [PersonInDrive, PersonInDrive]> {
  const id = await createManagedDrive(
    holdall,
    [
      [alice, 'MANAGER'],
      [bob, 'EDITOR'],
    ],
    { name },
  );
  return [inDrive(alice, id), inDrive(bob, id)];
}

const nameOf = ({ id, username }: { id: number; username: string }) => ({
  accountId: id,
  displayName: username,
});

const star = (member: PersonInDrive, { id }: EntryRecord) => member.ask('PUT', `/api/v2/files/${id}/star`);

async function countStatements(act: () => Promise<unknown>): Promise<number> {
  statements = 0;
  await act();
  return statements;
}

describe('a record of a personal drive', () => {
  test('has the id of the drive, and does not say who changed the entry', async () => {
    const file = await alice.upload('/own/file', 'x');
    const found = await alice.ask<{ items: readonly EntryRecord[] }>('GET', '/api/v2/files/search?q=file');
    for (const record of [
      file,
      await alice.details(file),
      (await alice.list('/own')).items[0],
      found.items[0],
    ]) {
      assert.equal(record?.driveId, alice.driveId);
      assert.ok(!('changedBy' in record));
    }
  });
});

describe('a record of a shared drive', () => {
  test('says who last changed the content, the name or the place of the entry', async () => {
    const [ours, theirs] = await makeDrive('Ours');
    const file = await ours.upload('/d/file', 'x');
    assert.equal(file.driveId, ours.sharedDriveId);
    assert.deepEqual(file.changedBy, nameOf(alice));
    assert.deepEqual((await theirs.list('/')).items[0]?.changedBy, nameOf(alice));
    assert.deepEqual((await theirs.rename(file, 'renamed')).changedBy, nameOf(bob));
    assert.deepEqual((await ours.move(file, '/')).changedBy, nameOf(alice));
    const content = { body: 'y', headers: { 'content-type': 'application/octet-stream' } };
    const replaced = await theirs.ask<EntryRecord>('PUT', `/api/v2/files/${file.id}/content`, content);
    assert.deepEqual(replaced.changedBy, nameOf(bob));
    await ours.recycle(file);
    assert.deepEqual((await theirs.bin()).items[0]?.changedBy, nameOf(alice));
    assert.deepEqual((await theirs.restore(file)).changedBy, nameOf(bob));
  });

  test('names who copied a tree, in all of its entries', async () => {
    const [ours, theirs] = await makeDrive('Copies');
    await ours.upload('/tree/a/file', 'x');
    const [tree] = (await ours.list('/')).items;
    assert.ok(tree);
    await theirs.mkdir('/copies');
    await theirs.copy(tree, '/copies');
    for (const record of await ours.tree('/copies')) assert.deepEqual(record.changedBy, nameOf(bob));
    for (const record of await ours.tree('/tree')) assert.deepEqual(record.changedBy, nameOf(alice));
  });

  test('is the same in every list', async () => {
    const [ours, theirs] = await makeDrive('Lists');
    const { id } = await ours.upload('/pictures/one.png', 'x', 'image/png');
    const { sha256: _sha256, metadata: _metadata, ...record } = await theirs.details({ id });
    assert.deepEqual(record.changedBy, nameOf(alice));
    const [recent] = await theirs.recent();
    assert.deepEqual(recent, { ...record, receivedThrough: null });
    const found = await theirs.ask<{ items: readonly EntryRecord[] }>('GET', '/api/v2/files/search?q=one');
    assert.deepEqual(found.items, [record]);
    const timeline = await theirs.ask<{ items: readonly EntryRecord[] }>('GET', '/api/v2/files/timeline');
    assert.deepEqual(timeline.items[0]?.changedBy, nameOf(alice));
  });

  test('shows no account once it is gone', async () => {
    const [ours] = await makeDrive('Gone');
    const file = await ours.upload('/file', 'x');
    await holdall.app.database.transact((tx) =>
      tx.updateTable('entry').set({ changed_by: GONE }).where('id', '=', file.id).execute(),
    );
    assert.equal((await ours.details(file)).changedBy, null);
  });

  test('shows no account whose deletion has begun', async () => {
    const [ours] = await makeDrive('Going');
    const file = await ours.upload('/file', 'x');
    const markDeleting = (at: number | null) =>
      holdall.app.database.transact((tx) =>
        tx.updateTable('account').set({ deleting_at: at }).where('id', '=', alice.id).execute(),
      );
    await markDeleting(holdall.clock.now());
    const { changedBy } = await ours.details(file);
    await markDeleting(null);
    assert.equal(changedBy, null);
  });

  test('names everyone who changed an entry of a list, and shows the stars of the viewer', async () => {
    const [ours, theirs] = await makeDrive('Several');
    const files: EntryRecord[] = [];
    for (const [at, member] of [ours, theirs, ours, ours, theirs].entries()) {
      files.push(await member.upload(`/page/${at}`, 'x'));
    }
    for (const [at, file] of files.entries()) if (at > 1) await star(at > 3 ? theirs : ours, file);
    const { items } = await ours.list('/page');
    assert.deepEqual(
      items.map(({ changedBy, starred }) => [changedBy, starred]),
      [
        [nameOf(alice), false],
        [nameOf(bob), false],
        [nameOf(alice), true],
        [nameOf(alice), true],
        [nameOf(bob), false],
      ],
    );
  });

  test('costs one more statement per answer, one more with stars, and none for a personal drive', async () => {
    const [ours] = await makeDrive('Statements');
    const file = await ours.upload('/page/1', 'x');
    for (const number of [2, 3]) await ours.upload(`/page/${number}`, 'x');
    for (const number of [1, 2, 3]) await alice.upload(`/page/${number}`, 'x');
    const personal = await countStatements(() => alice.list('/page'));
    // One for the names, and one for the role in the drive.
    assert.equal(await countStatements(() => ours.list('/page')), personal + 2);
    await star(ours, file);
    assert.equal(await countStatements(() => ours.list('/page')), personal + 3);
  });
});
