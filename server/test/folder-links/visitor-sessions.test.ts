// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import {
  beginTus,
  FOLDER_LINKS,
  linkFolder,
  openInbox,
  Visitor,
} from '../support/folder-links/folder-links.ts';
import { askTus, assertTus, metadataOf, TUS } from '../support/uploads/tus.ts';

const QUOTA = 1_000_000;
const env = { HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA), HOLDALL_TRUST_PROXY: 'on' };
const holdall = await startHoldall({ env });
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];

afterEach(() => checkBooks(holdall));

const open = (options: object = {}) => openInbox(holdall, urls, { mode: 'UPLOAD', ...options });

/** Announces a file and sends nothing. Returns the status. */
async function announce(visitor: Visitor, size: number, address = '203.0.113.1'): Promise<number> {
  const headers = {
    'upload-length': `${size}`,
    'upload-metadata': metadataOf({ filename: 'a' }),
    'x-forwarded-for': address,
  };
  return (await askTus(visitor, 'POST', visitor.at('/tus'), { headers })).status;
}

const count = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length;
const raceToAnnounce = (
  visitors: readonly Visitor[],
  times: number,
  size: number,
  toAddress?: (index: number) => string,
) => race(visitors, times, (visitor, index) => announce(visitor as Visitor, size, toAddress?.(index)));
const change = (owner: Person, link: FolderLinkRecord, body: object) =>
  owner.ask('PATCH', `${FOLDER_LINKS}/${link.id}`, { body });
const ownAnnouncement = async (owner: Person, size: number) => {
  const headers = { 'upload-length': `${size}`, 'upload-metadata': metadataOf({ filename: 'own' }) };
  return (await askTus(owner, 'POST', TUS, { headers })).status;
};

describe('files that visitors announce at the same time', () => {
  it('never exceed the number of files of the link, together with received ones', async () => {
    const { visitors, visitor } = await open({ maxFiles: 7 });
    await visitor.send('first', 'x');
    const statuses = await raceToAnnounce(visitors, 30, 1);
    assert.deepEqual([count(statuses, 201), count(statuses, 429)], [6, 24]);
  });

  it('never exceed the bytes of the link, together with received ones', async () => {
    const { visitors, visitor } = await open({ maxBytes: 1_000 });
    await visitor.send('first', 'x'.repeat(100));
    const statuses = await raceToAnnounce(visitors, 30, 100);
    assert.deepEqual([count(statuses, 201), count(statuses, 429)], [9, 21]);
  });

  it('are rejected temporarily while uploads fill the link, and permanently once it is full', async () => {
    const { visitor } = await open({ maxFiles: 1, maxBytes: 10 });
    const begun = await beginTus(visitor, 'a', 4);
    const headers = { 'upload-length': '4', 'upload-metadata': metadataOf({ filename: 'b' }) };
    const passing = await askTus(visitor, 'POST', visitor.at('/tus'), { headers });
    assert.deepEqual([passing.status, passing.headers.get('retry-after')], [429, '60']);
    assert.equal(await announce(visitor, 11), 413);
    assertTus(await begun.patch(0, 'data'), 204);
    const final = await askTus(visitor, 'POST', visitor.at('/tus'), { headers });
    assert.deepEqual([final.status, final.headers.get('retry-after')], [413, null]);
  });

  it('hold a place for only ten seconds until bytes follow', async () => {
    const { visitor } = await open({ maxFiles: 2, maxBytes: 20 });
    const begun = await Promise.all([beginTus(visitor, 'a', 10), beginTus(visitor, 'b', 10)]);
    assert.equal(await announce(visitor, 10), 429);
    holdall.clock.advance(10 * SECOND);
    assert.equal(await announce(visitor, 10), 201);
    holdall.clock.advance(10 * SECOND);
    for (const upload of begun) assertTus(await upload.patch(0, 'x'), 204);
    assert.equal(await announce(visitor, 10), 429);
    assertTus(await begun[0].patch(1, 'x'.repeat(9)), 204);
    assert.equal(await announce(visitor, 10), 429);
  });

  it('are limited to 50 per address, over all links, and do not stop other addresses', async () => {
    const { owner, directory, visitors, visitor } = await open();
    const other = new Visitor(holdall.url, await linkFolder(owner, directory, { mode: 'UPLOAD' }));
    const inOneNetwork = (index: number) => `2001:db8:1:2::${index + 1}`;
    const statuses = await raceToAnnounce([...visitors, other], 60, 1, inOneNetwork);
    assert.deepEqual([count(statuses, 201), count(statuses, 429)], [50, 10]);
    assert.equal(await announce(visitor, 1, '2001:db8:1:3::1'), 201);
    assert.equal(await ownAnnouncement(owner, 1), 201);
  });

  it('are limited to 200 per link', async () => {
    const { visitors } = await open();
    const statuses = await raceToAnnounce(visitors, 210, 1, (index) => `203.0.113.${index % 5}`);
    assert.deepEqual([count(statuses, 201), count(statuses, 429)], [200, 10]);
  });
});

describe('an unfinished upload of a visitor', () => {
  it('ends after 15 minutes without a byte, and then no longer limits other visitors', async () => {
    const { visitor } = await open();
    const upload = await beginTus(visitor, 'never', QUOTA);
    holdall.clock.advance(14 * MINUTE);
    assert.equal(await announce(visitor, 1), 413);
    holdall.clock.advance(MINUTE);
    assert.equal((await upload.patch(0, 'x')).status, 410);
    assert.equal(await announce(visitor, 1), 201);
    await holdall.app.cleanUp();
  });

  it('ends three hours after its last byte, and at most a day after it began', async () => {
    const { owner, visitor } = await open();
    const [idle, slow] = [await beginTus(visitor, 'idle', 9), await beginTus(visitor, 'slow', 9)];
    assertTus(await idle.patch(0, 'x'), 204);
    let offset = 0;
    for (; offset < 8; offset += 1) {
      assertTus(await slow.patch(offset, 'x'), 204);
      holdall.clock.advance(3 * HOUR - MINUTE);
      assert.equal((await idle.head()).status, offset === 0 ? 200 : 410);
    }
    holdall.clock.advance(8 * MINUTE);
    assert.equal((await slow.patch(offset, 'x')).status, 410);
    await owner.logIn();
    await holdall.app.cleanUp();
  });

  it('lasts a day for the owner, whatever arrives', async () => {
    const { owner } = await open();
    const headers = { 'upload-length': '3', 'upload-metadata': metadataOf({ filename: 'own' }) };
    const created = await askTus(owner, 'POST', TUS, { headers });
    const until = Date.parse(created.headers.get('upload-expires') ?? '');
    assert.ok(
      Math.abs(until - holdall.clock.now() - DAY) < MINUTE,
      created.headers.get('upload-expires') ?? '',
    );
  });

  it('tells the client after every request when it will end', async () => {
    const { visitor } = await open();
    const upload = await beginTus(visitor, 'told', 9);
    const told = async (offset: number) => {
      const { headers } = await upload.patch(offset, 'x');
      return Date.parse(headers.get('upload-expires') ?? '') - holdall.clock.now();
    };
    assert.ok(Math.abs((await told(0)) - 3 * HOUR) < MINUTE);
    holdall.clock.advance(HOUR);
    assert.ok(Math.abs((await told(1)) - 3 * HOUR) < MINUTE);
  });
});

describe('the address of a visitor', () => {
  const storedAddress = async (id: string) =>
    (
      await holdall.app.database.db
        .selectFrom('upload_session')
        .select('visitor_address')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).visitor_address;

  it('is stored until the session ends in any way', async () => {
    const { owner, link, visitor } = await open({ mode: 'BOTH' });
    const begin = () => beginTus(visitor, 'a', 4);
    const [completed, removed, ended] = [await begin(), await begin(), await begin()];
    assert.ok((await storedAddress(completed.id)) !== null);
    assertTus(await completed.patch(0, 'data'), 204);
    assertTus(await askTus(visitor, 'DELETE', removed.path), 204);
    await change(owner, link, { mode: 'VIEW' });
    await change(owner, link, { mode: 'BOTH' });
    const expired = await begin();
    holdall.clock.advance(16 * MINUTE);
    await holdall.app.cleanUp();
    const all = [completed, removed, ended, expired];
    assert.deepEqual(await Promise.all(all.map(({ id }) => storedAddress(id))), [null, null, null, null]);
  });
});

describe('uploads of visitors that ended without a file', () => {
  const findStored = (id: string) =>
    holdall.app.database.db
      .selectFrom('upload_session')
      .select(['status', 'client_metadata'])
      .where('id', '=', id)
      .executeTakeFirst();

  it('keep nothing that the visitor has sent, and are deleted after an hour', async () => {
    const { visitor } = await open({ mode: 'UPLOAD' });
    const [cancelled, completed] = [await beginTus(visitor, 'a', 4), await beginTus(visitor, 'b', 4)];
    assertTus(await askTus(visitor, 'DELETE', cancelled.path), 204);
    assertTus(await completed.patch(0, 'data'), 204);
    assert.deepEqual(await findStored(cancelled.id), { status: 'CANCELLED', client_metadata: null });
    holdall.clock.advance(61 * MINUTE);
    await holdall.app.cleanUp();
    assert.equal(await findStored(cancelled.id), undefined);
    assert.equal((await findStored(completed.id))?.status, 'COMPLETED');
  });
});

describe('open uploads', () => {
  const isGone = async (begun: Awaited<ReturnType<typeof beginTus>>) => {
    const row = await holdall.app.database.db
      .selectFrom('upload_session')
      .select('status')
      .where('id', '=', begun.id)
      .executeTakeFirst();
    return row?.status === 'CANCELLED';
  };

  it('end when the link gets another password or a mode that accepts no files', async () => {
    for (const body of [{ password: 'another' }, { mode: 'VIEW' }]) {
      const { owner, link, visitor } = await open({ mode: 'BOTH' });
      const upload = await beginTus(visitor, 'a', QUOTA);
      await change(owner, link, body);
      assert.ok(await isGone(upload), JSON.stringify(body));
      assert.equal(await ownAnnouncement(owner, QUOTA), 201);
    }
  });

  it('end at the next maintenance once the link has expired or its directory is purged', async () => {
    const expiresAt = new Date(holdall.clock.now() + MINUTE).toISOString();
    const [late, purged] = [await open({ expiresAt }), await open()];
    const uploads = [await beginTus(late.visitor, 'a', 9), await beginTus(purged.visitor, 'a', 9)];
    const kept = await beginTus((await open()).visitor, 'a', 9);
    await purged.owner.recycle(purged.directory);
    await purged.owner.purge(purged.directory);
    holdall.clock.advance(MINUTE);
    await holdall.app.cleanUp();
    assert.deepEqual(await Promise.all([...uploads, kept].map(isGone)), [true, true, false]);
  });

  it('continue when other options change and the mode still accepts files', async () => {
    const { owner, link, visitor } = await open({ mode: 'BOTH' });
    const upload = await beginTus(visitor, 'a', 3, { path: '/from/me' });
    assertTus(await upload.patch(0, 'a'), 204);
    await change(owner, link, { mode: 'UPLOAD', title: 'Another', maxFiles: 5, password: null });
    assertTus(await upload.patch(1, 'b'), 204);
    await change(owner, link, { mode: 'BOTH' });
    await change(owner, link, { mode: 'UPLOAD' });
    assertTus(await upload.patch(2, 'c'), 204);
    assert.deepEqual(await owner.names('/inbox/from/me'), ['a']);
  });

  it('cannot begin after a change that ends them', async () => {
    for (const body of [{ password: 'another' }, { mode: 'VIEW' }]) {
      const { owner, link, visitors } = await open({ mode: 'BOTH' });
      await race(visitors, 30, async (visitor, index) => {
        if (index === 10) await change(owner, link, body);
        else await announce(visitor as Visitor, 1);
      });
      const { db } = holdall.app.database;
      const left = await db
        .selectFrom('upload_session')
        .select('status')
        .where('folder_link_id', '=', link.id)
        .where('status', 'in', ['CREATED', 'UPLOADING'])
        .execute();
      assert.deepEqual(left, [], JSON.stringify(body));
    }
  });
});
