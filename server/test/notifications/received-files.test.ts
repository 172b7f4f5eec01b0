// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { HOUR, MINUTE } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { createDrive, DRIVES, inDrive } from '../support/drives/shared-drives.ts';
import { FOLDER_LINKS, linkFolder, openInbox, Visitor } from '../support/folder-links/folder-links.ts';
import { toldTo } from '../support/notifications/told.ts';

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_ACCESS_TOKEN_TTL: '1d' };
const holdall = await startHoldall({ env });
const second = isPostgres ? await startHoldall({ env, beside: holdall }) : holdall;
const instances = [holdall, second];
holdall.clock.stop();

afterEach(() => checkBooks(holdall));

const openLink = (options: object = {}) =>
  openInbox(
    holdall,
    instances.map(({ url }) => url),
    { mode: 'UPLOAD', title: 'Photos', ...options },
  );

/** Runs the job on every instance at the same time. */
async function tellDue(): Promise<void> {
  const { signal } = new AbortController();
  await Promise.all(instances.map(({ app }) => app.receivedFiles.tellDue(signal)));
}

describe('the creator of a folder link', () => {
  test('is told about the first file at once, and about later ones an hour after that', async () => {
    const { owner, directory, link, visitor } = await openLink();
    const common = { linkId: link.id, title: 'Photos', driveId: owner.driveId, driveName: null };
    await visitor.send('1.txt', 'one', { sender: 'Ben' });
    const first = { ...common, directoryId: directory.id, files: 1, bytes: 3, senders: ['Ben'] };
    assert.deepEqual(await toldTo(holdall, owner, 'LINK_FILES'), [first]);

    await visitor.send('2.txt', 'four', { sender: 'Eve' });
    await visitor.send('3.txt', 'seven..', { sender: 'Ben' });
    await visitor.send('4.txt', '', { sender: 'Eve' });
    await visitor.send('5.txt', '');
    holdall.clock.advance(HOUR - MINUTE);
    await tellDue();
    assert.equal((await toldTo(holdall, owner, 'LINK_FILES')).length, 1);
    assert.equal(await holdall.app.receivedFiles.hasDue(), false);

    holdall.clock.advance(MINUTE);
    assert.equal(await holdall.app.receivedFiles.hasDue(), true);
    await tellDue();
    await tellDue();
    const later = { ...first, files: 4, bytes: 11, senders: ['Eve', 'Ben'] };
    assert.deepEqual(await toldTo(holdall, owner, 'LINK_FILES'), [first, later]);

    // Nothing arrived for more than an hour, so the next file is told at once.
    holdall.clock.advance(HOUR);
    await visitor.send('6.txt', 'x');
    const again = { ...first, bytes: 1, senders: [] };
    assert.deepEqual(await toldTo(holdall, owner, 'LINK_FILES'), [first, later, again]);
  });

  test('learns the names of at most five senders', async () => {
    const { owner, visitor } = await openLink();
    await visitor.send('first.txt', '');
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const sender of names) await visitor.send(`${sender}.txt`, '', { sender });
    holdall.clock.advance(HOUR);
    await tellDue();
    const [, later] = await toldTo(holdall, owner, 'LINK_FILES');
    assert.deepEqual([later?.files, later?.senders], [7, names.slice(0, 5)]);
  });

  test('is told nothing about files that were rejected', async () => {
    const { owner, visitor } = await openLink({ maxBytes: 3 });
    assert.equal((await visitor.send('large.txt', 'four')).status, 413);
    assert.equal((await visitor.send('path.txt', 'x', { path: '/deeper' })).status, 400);
    assert.deepEqual(await toldTo(holdall, owner, 'LINK_FILES'), []);
  });

  test('is told about collected files if someone else deletes the link', async () => {
    const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
    const drive = await createDrive(ann, 'Team', [{ person: ben, role: 'EDITOR' }]);
    const there = inDrive(ben, drive.id);
    const inbox = await there.mkdir('/inbox');
    const openAndSend = async (files: number) => {
      const link = await linkFolder(there, inbox, { mode: 'UPLOAD', title: 'Photos' });
      const visitor = new Visitor(holdall.url, link);
      for (let index = 0; index < files; index += 1) {
        await visitor.send(`${link.id}-${index}.txt`, 'xy', { sender: `Eve ${index}` });
      }
      return link;
    };
    const remove = (person: Person, { id }: { id: number }) => person.ask('DELETE', `${FOLDER_LINKS}/${id}`);
    const link = await openAndSend(3);
    await remove(inDrive(ann, drive.id), link);
    const about = { linkId: link.id, title: 'Photos', driveId: drive.id, driveName: 'Team' };
    assert.deepEqual((await toldTo(holdall, ben, 'LINK_FILES')).slice(1), [
      { ...about, directoryId: inbox.id, files: 2, bytes: 4, senders: ['Eve 1', 'Eve 2'] },
    ]);

    // Their own deletion is no news, and neither is one without new files.
    await remove(there, await openAndSend(2));
    await remove(inDrive(ann, drive.id), await openAndSend(1));
    assert.equal((await toldTo(holdall, ben, 'LINK_FILES')).length, 4);
    assert.deepEqual(await toldTo(holdall, ann, 'LINK_FILES'), []);
  });

  test('in a shared drive is told as long as it is a member', async () => {
    const [ann, ben] = [await holdall.register('ann'), await holdall.register('ben')];
    const drive = await createDrive(ann, 'Team', [{ person: ben, role: 'EDITOR' }]);
    const there = inDrive(ben, drive.id);
    const link = await linkFolder(there, await there.mkdir('/inbox'), { mode: 'UPLOAD' });
    const visitor = new Visitor(holdall.url, link);
    await visitor.send('1.txt', 'x');
    const [told] = await toldTo(holdall, ben, 'LINK_FILES');
    assert.deepEqual([told?.driveId, told?.driveName], [drive.id, 'Team']);
    assert.deepEqual(await toldTo(holdall, ann, 'LINK_FILES'), []);

    await visitor.send('2.txt', 'x');
    await ann.ask('DELETE', `${DRIVES}/${drive.id}/members/${ben.id}`);
    holdall.clock.advance(HOUR);
    await tellDue();
    await visitor.send('3.txt', 'x');
    assert.equal((await toldTo(holdall, ben, 'LINK_FILES')).length, 1);
    assert.equal(await holdall.app.receivedFiles.hasDue(), false);
  });
});

test('a collected file changes no column that an index contains', async () => {
  const { link, visitor } = await openLink();
  const { db } = holdall.app.database;
  const { rows: indexes } = await sql<{ definition: string }>`${sql.raw(
    isPostgres
      ? "select indexdef as definition from pg_indexes where tablename = 'folder_link'"
      : "select sql as definition from sqlite_schema where type = 'index' and tbl_name = 'folder_link'",
  )}`.execute(db);
  const columnsOf = async () => {
    const row = db.selectFrom('folder_link').selectAll().where('id', '=', link.id);
    return new Map(Object.entries(await row.executeTakeFirstOrThrow()));
  };
  for (const name of ['1.txt', '2.txt']) await visitor.send(name, 'x', { sender: name });
  const before = await columnsOf();
  await visitor.send('3.txt', 'x', { sender: '3.txt' });
  const changed = [...(await columnsOf())].filter(([name, value]) => before.get(name) !== value);
  const names = changed.map(([name]) => name).sort();
  const unnotified = ['unnotified_bytes', 'unnotified_files', 'unnotified_senders'];
  assert.deepEqual(names, ['received_bytes', 'received_files', ...unnotified]);
  assert.ok(indexes.length > 3);
  for (const { definition } of indexes) {
    assert.ok(!names.some((name) => definition.includes(name)), definition);
  }
});

test('of 20 files that arrive at the same time, the first is told at once and the others once', async () => {
  const { owner, visitors } = await openLink();
  const answers = await race(visitors, 20, (visitor, index) =>
    (visitor as Visitor).send(`${index}.txt`, 'x'.repeat(index), { sender: `${index % 3}` }),
  );
  assert.deepEqual(countStatuses(answers), { 200: 20 });
  assert.equal((await toldTo(holdall, owner, 'LINK_FILES')).length, 1);
  holdall.clock.advance(HOUR);
  await Promise.all([tellDue(), tellDue(), visitors[0]?.send('last.txt', '')]);
  const told = await toldTo(holdall, owner, 'LINK_FILES');
  assert.equal(told.length, 2);
  holdall.clock.advance(HOUR);
  await tellDue();
  const all = await toldTo(holdall, owner, 'LINK_FILES');
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  assert.equal(sum(all.map(({ files }) => files)), 21);
  assert.equal(sum(all.map(({ bytes }) => bytes)), 190);
});
