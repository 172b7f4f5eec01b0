// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { FOLDER_LINKS, openInbox, ownLink, type Visitor } from '../support/folder-links/folder-links.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const QUOTA = 3_000_000;

const env = { HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA) };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];

/** For tests that do not depend on the engine: on PostgreSQL they run only with `--full`. */
const fullOnPostgres = isPostgres ? inFull : {};

afterEach(() => checkBooks(holdall));

const open = (options: object) => openInbox(holdall, urls, { mode: 'BOTH', ...options });

function sendMany(
  visitors: readonly Visitor[],
  times: number,
  send: (visitor: Visitor, index: number) => ReturnType<Visitor['send']>,
) {
  return race(visitors, times, (visitor, index) => send(visitor as Visitor, index));
}

const received = async (owner: Parameters<typeof ownLink>[0], link: FolderLinkRecord) => {
  const { receivedFiles, receivedBytes } = await ownLink(owner, link);
  return [receivedFiles, receivedBytes];
};

describe('50 concurrent senders', () => {
  it('store exactly as many files as the link accepts', async () => {
    const { owner, link, visitors } = await open({ maxFiles: 7 });
    const answers = await sendMany(visitors, 50, (visitor, index) => visitor.send(`${index}.txt`, 'seven'));
    assert.deepEqual(countStatuses(answers), { 200: 7, 413: 43 });
    assert.equal((await owner.names('/inbox')).length, 7);
    assert.deepEqual(await received(owner, link), [7, 35]);
    assert.equal(await owner.usedBytes(), 35);
  });

  it('store exactly as many bytes as the link accepts', fullOnPostgres, async () => {
    const { owner, link, visitors } = await open({ maxBytes: 1_000 });
    const answers = await sendMany(visitors, 50, (visitor, index) =>
      visitor.send(`${index}.txt`, 'x'.repeat(index % 2 === 0 ? 90 : 130)),
    );
    const stored = answers
      .filter(({ status }) => status === 200)
      .reduce((sum, { data }) => sum + data.size, 0);
    assert.ok(stored <= 1_000 && stored > 870, `${stored} bytes`);
    assert.equal(await owner.usedBytes(), stored);
    assert.equal((await received(owner, link))[1], stored);
    assert.deepEqual(Object.keys(countStatuses(answers)), ['200', '413']);
  });

  it('store, together with the owner, exactly as many bytes as the owner’s quota allows', async () => {
    const { owner, link, visitors } = await open({});
    const size = 100_000;
    const clients = atEveryInstance(owner, urls);
    const [answers, own] = await Promise.all([
      sendMany(visitors, 50, (visitor, index) => visitor.send(`${index}`, new Uint8Array(size))),
      race(clients, 10, async (person, index) => {
        const form = new FormData();
        form.set('file', new Blob([new Uint8Array(size)]), `own-${index}`);
        return person.call<EntryRecord>('POST', '/api/files/upload', { body: form });
      }),
    ]);
    const counts = countStatuses(answers);
    const stored = (counts[200] ?? 0) + (countStatuses(own)[200] ?? 0);
    assert.equal(stored, QUOTA / size);
    assert.equal(await owner.usedBytes(), QUOTA);
    assert.deepEqual(await received(owner, link), [counts[200], size * (counts[200] ?? 0)]);
  });

  it('of files with one name get 50 different names', fullOnPostgres, async () => {
    const { owner, visitors } = await open({});
    const answers = await sendMany(visitors, 50, (visitor, index) =>
      visitor.send('same.txt', `content ${index}`, { path: '/new/directory' }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 50 });
    const names = new Set(answers.map(({ data }) => data.name));
    assert.equal(names.size, 50);
    assert.deepEqual(new Set(await owner.names('/inbox/new/directory')), names);
  });
});

describe('a link that ends during uploads', () => {
  it('stores exactly the files whose upload was answered with success', fullOnPostgres, async () => {
    for (const end of ['deleted', 'recycled', 'banned'] as const) {
      const { owner, link, directory, visitors } = await open({});
      const admin = await holdall.admin();
      const ban = (banned: boolean) =>
        admin.ask('PATCH', `/api/admin/users/${owner.id}/status`, { body: { banned } });
      const endLink = {
        deleted: () => owner.ask('DELETE', `${FOLDER_LINKS}/${link.id}`),
        recycled: () => owner.recycle(directory),
        banned: () => ban(true),
      }[end];
      const [answers] = await Promise.all([
        sendMany(visitors, 30, async (visitor, index) => {
          if (index === 10) await endLink();
          return visitor.send(`${index}`, 'x');
        }),
      ]);
      const counts = countStatuses(answers);
      assert.deepEqual(
        Object.keys(counts).filter((status) => status !== '200' && status !== '404'),
        [],
      );
      assert.equal((await (visitors[0] as Visitor).send('late', 'x')).status, 404);
      if (end === 'banned') await ban(false).then(() => owner.logIn());
      if (end === 'recycled') await owner.restore(directory);
      assert.equal((await owner.names('/inbox')).length, counts[200] ?? 0, end);
      assert.equal(await owner.usedBytes(), counts[200] ?? 0);
    }
  });

  it('rejects a file whose last byte arrives after the end, and keeps nothing of it', async () => {
    const { owner, link } = await open({});
    const sender = await holdall.register('sender');
    const { db } = holdall.app.database;
    const held = await PausedUpload.start(sender, {
      line: `POST ${FOLDER_LINKS}/${link.token}/uploads`,
      name: 'large',
      bytes: new Uint8Array(1_000_000),
      encoding: 'form',
    });
    const isReserved = async () =>
      (await db.selectFrom('upload_reservation').select('id').where('drive_id', '=', owner.driveId).execute())
        .length > 0;
    while (!(await isReserved())) await new Promise(setImmediate);
    await owner.ask('DELETE', `${FOLDER_LINKS}/${link.id}`);
    assert.equal(await held.finish(), 404);
    assert.deepEqual([await owner.names('/inbox'), await owner.usedBytes()], [[], 0]);
  });
});

describe('a mode that is changed during uploads', () => {
  it('no longer accepts files with a path', fullOnPostgres, async () => {
    const { owner, link, visitors } = await open({});
    const answers = await sendMany(visitors, 30, async (visitor, index) => {
      if (index === 10) {
        await owner.ask('PATCH', `${FOLDER_LINKS}/${link.id}`, { body: { mode: 'UPLOAD' } });
      }
      return visitor.send('f', 'x', { path: `/${index}` });
    });
    const counts = countStatuses(answers);
    assert.deepEqual((counts[200] ?? 0) + (counts[400] ?? 0), 30);
    assert.equal((await owner.tree('/inbox')).filter(({ directory }) => !directory).length, counts[200] ?? 0);
    assert.equal((await received(owner, link))[0], counts[200] ?? 0);
  });
});
