// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';

const holdall = await startHoldall();
const admin = await holdall.admin();
const view = asAdmin(admin);
const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];

const letter = await ann.upload('/Documents/deep/Letter.TXT', 'dear', 'text/plain');
const { starred: _starred, driveId: _driveId, ...letterFacts } = letter;
await ann.upload('/Übung 100%_.pdf', 'x');
await bob.upload('/letter to ann', 'xx');
await bob.recycle(await bob.upload('/letter that was deleted', 'xx'));

describe('the list of all files', () => {
  test('shows files as records with their owners', async () => {
    const { items, total } = await view.files({ query: 'letter.txt' });
    assert.equal(total, 1);
    assert.deepEqual(items, [
      {
        ...letterFacts,
        driveId: ann.driveId,
        driveName: null,
        ownerId: ann.id,
        ownerUsername: ann.username,
        ownerEmail: `${ann.username}@example.org`,
      },
    ]);
  });

  test('contains live files only: no directories, nothing from recycle bins', async () => {
    const { items, total } = await view.files({ size: 1_000 });
    assert.deepEqual(
      items.map(({ filename }) => filename),
      ['letter to ann', 'Übung 100%_.pdf', 'Letter.TXT'],
    );
    assert.equal(total, 3);
    assert.equal((await view.summary()).totalFiles, 3);
  });

  test('matches a literal part of the name, ignoring case', async () => {
    for (const [query, count] of [
      ['LETTER', 2],
      ['übung', 1],
      ['ÜBUNG 100%_', 1],
      ['%', 1],
      ['_', 1],
      ['100%p', 0],
      ['l%r', 0],
      ['!', 0],
      ['\\', 0],
      ['u\u0308bung', 1],
      ["'", 0],
      ['', 3],
    ] as const) {
      const { items, total } = await view.files({ query });
      assert.deepEqual([items.length, total], [count, count], query);
    }
  });

  test('matches part of the owner’s name, e-mail address or phone number', async () => {
    for (const [ownerQuery, count] of [
      [ann.username.toUpperCase(), 2],
      [`${bob.username}@example`, 1],
      ['nobody', 0],
    ] as const) {
      assert.equal((await view.files({ ownerQuery })).total, count, ownerQuery);
    }
    const both = await view.files({ ownerQuery: bob.username, query: 'ann' });
    assert.deepEqual(
      both.items.map(({ ownerId }) => ownerId),
      [bob.id],
    );
  });

  test('is paged, with and without a filter', async () => {
    for (const filter of [{}, { query: '' }, { query: 'l' }, { ownerQuery: 'example' }]) {
      const all = (await view.files({ ...filter, size: 1_000 })).items.map(({ id }) => id);
      const walked: number[] = [];
      for (let page = 0; page < all.length; page += 1) {
        const { items, total } = await view.files({ ...filter, page, size: 1 });
        assert.equal(total, all.length);
        walked.push(...items.map(({ id }) => id));
      }
      assert.deepEqual(walked, all);
      assert.deepEqual((await view.files({ ...filter, page: all.length, size: 1 })).items, []);
    }
  });
});

describe('a file deleted by an administrator', () => {
  test('moves to the recycle bin of its owner, whose clients receive an event', async () => {
    const file = await ann.upload('/to be deleted', '12345');
    const used = await ann.usedBytes();
    assert.equal(await admin.ask('DELETE', `/api/admin/files/${file.id}`), null);
    assert.equal(await ann.usedBytes(), used - 5);
    const [entry] = (await ann.bin()).items;
    assert.equal(entry?.originalPath, '/to be deleted');
    const event = await holdall.app.database.db
      .selectFrom('event')
      .select(['drive_id', 'event_type', 'from_path', 'client_id'])
      .where('entry_id', '=', file.id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    assert.deepEqual(event, {
      drive_id: ann.driveId,
      event_type: 'DELETED',
      from_path: '/to be deleted',
      client_id: null,
    });
    await ann.restore(file);
    await admin.ask('DELETE', `/api/admin/files/${file.id}`);
    await checkBooks(holdall);
  });

  test('may be a directory with everything in it', async () => {
    await ann.upload('/tree/a/b', 'x');
    const tree = (await ann.list('/')).items.find(({ filename }) => filename === 'tree');
    await admin.ask('DELETE', `/api/admin/files/${tree?.id}`);
    assert.equal((await view.files({ query: 'b', ownerQuery: ann.username })).items.length, 1);
    await checkBooks(holdall);
  });

  test('must be live: otherwise the answer is 404, without an audit entry', async () => {
    const file = await ann.upload('/gone', 'x');
    await ann.recycle(file);
    const root = await holdall.app.database.db
      .selectFrom('entry')
      .select('id')
      .where('drive_id', '=', ann.driveId)
      .where('parent_id', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    const before = (await view.audits()).total;
    for (const id of [file.id, root.id, 999_999_999]) {
      await admin.refused(404, 1003, 'DELETE', `/api/admin/files/${id}`);
    }
    assert.equal((await view.audits()).total, before);
  });
});
