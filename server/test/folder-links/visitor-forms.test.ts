// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { listStoredFiles, untilStored } from '../support/drive/stored-files.ts';
import {
  beginTus,
  FOLDER_LINKS,
  openInbox,
  ownLink,
  type Visitor,
} from '../support/folder-links/folder-links.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { askTus, assertTus, metadataOf, TUS } from '../support/uploads/tus.ts';

const QUOTA = 3_000_000;
/** Large enough to need a reservation of bytes. */
const LARGE = 1_000_000;

const env = { HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA), HOLDALL_TRUST_PROXY: 'on' };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];

afterEach(() => checkBooks(holdall));

const open = (options: object = {}) => openInbox(holdall, urls, { mode: 'UPLOAD', ...options });

/** Sends a form of a visitor except for its last byte. */
function pauseUpload(
  visitor: Visitor,
  size = LARGE,
  { encoding = 'form', address = '203.0.113.1' }: { encoding?: 'form' | 'chunked'; address?: string } = {},
): Promise<PausedUpload> {
  return PausedUpload.start(visitor, {
    line: `POST ${visitor.at('/uploads')}`,
    name: 'held',
    bytes: new Uint8Array(size),
    encoding,
    headers: { 'x-forwarded-for': address },
  });
}

async function announce(person: Person, path: string, size: number): Promise<number> {
  const headers = {
    'upload-length': `${size}`,
    'upload-metadata': metadataOf({ filename: 'a' }),
    'x-forwarded-for': '203.0.113.1',
  };
  return (await askTus(person, 'POST', path, { headers })).status;
}

/** Waits until `count` uploads have reserved at least `bytes` in the drive. */
function untilReserved(owner: Person, count: number, bytes = 0): Promise<void> {
  const { db } = holdall.app.database;
  const reserved = db.selectFrom('upload_reservation').select('bytes').where('drive_id', '=', owner.driveId);
  return waitUntil(`${count} uploads have reserved bytes`, async () => {
    const rows = await reserved.execute();
    return rows.length === count && rows.reduce((sum, row) => sum + row.bytes, 0) >= bytes;
  });
}

const setPassword = (owner: Person, link: FolderLinkRecord, password: string) =>
  owner.ask('PATCH', `${FOLDER_LINKS}/${link.id}`, { body: { password } });

describe('a form of a visitor that reserves the rest of the quota', () => {
  for (const encoding of ['form', 'chunked'] as const) {
    it(`stops other visitors, but not the owner (${encoding})`, async () => {
      const { owner, visitors, visitor } = await open();
      const held = await pauseUpload(visitor, QUOTA - 100_000, { encoding });
      await untilReserved(owner, 1, QUOTA - LARGE);
      for (const other of visitors) {
        assert.equal((await other.send('other', new Uint8Array(LARGE))).status, 413);
        assert.equal(await announce(other, other.at('/tus'), LARGE), 413);
      }
      assert.equal(await announce(owner, TUS, LARGE), 201);
      const body = formOf('/own', new Uint8Array(2 * LARGE));
      assert.equal((await owner.call('POST', '/api/files/upload', { body })).status, 200);
      assert.equal(await held.finish(), 413);
      assert.deepEqual([await owner.names('/inbox'), await owner.usedBytes()], [[], 2 * LARGE]);
    });
  }
});

describe('forms that run at the same time', () => {
  it('never exceed the number of files of the link, whatever their encoding', async () => {
    const { owner, visitors, visitor } = await open({ maxFiles: 3 });
    const upload = await beginTus(visitor, 'announced', 4);
    const running = [
      await pauseUpload(visitor, 700_000),
      await pauseUpload(visitor, 700_000, { encoding: 'chunked' }),
    ];
    await untilReserved(owner, 2);
    for (const other of visitors) {
      // The last byte has not been sent, so these forms are rejected before they are complete.
      assert.equal(await (await pauseUpload(other, 700_000)).status, 429);
      assert.equal(await (await pauseUpload(other, 700_000, { encoding: 'chunked' })).status, 429);
      assert.equal(await announce(other, other.at('/tus'), 1), 429);
    }
    assert.deepEqual(await Promise.all(running.map((form) => form.finish())), [200, 200]);
    assertTus(await upload.patch(0, 'data'), 204);
    assert.equal((await owner.names('/inbox')).length, 3);
    assert.equal(await (await pauseUpload(visitor)).status, 413);
  });

  it('get only as many places as are left when they race for them', async () => {
    const { owner, visitors } = await open({ maxFiles: 2 });
    const forms = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        pauseUpload(visitors[index % visitors.length] as Visitor, 600_000),
      ),
    );
    const refused: number[] = [];
    const left = new Set(forms);
    for (const form of forms) {
      void form.status.then((status) => {
        refused.push(status);
        left.delete(form);
      });
    }
    await waitUntil('all but two are refused', () => left.size === 2);
    assert.deepEqual(refused, Array(6).fill(429));
    assert.deepEqual(await Promise.all([...left].map((form) => form.finish())), [200, 200]);
    assert.equal((await owner.names('/inbox')).length, 2);
  });

  it('never exceed the bytes of the link', async () => {
    const { owner, link, visitor } = await open({ maxBytes: LARGE + 200_000 });
    const form = await pauseUpload(visitor);
    await untilReserved(owner, 1);
    assert.equal(await (await pauseUpload(visitor, 700_000)).status, 429);
    assert.equal(await announce(visitor, visitor.at('/tus'), 300_000), 429);
    assert.equal(await announce(visitor, visitor.at('/tus'), 1_000), 201);
    assert.equal(await form.finish(), 200);
    assert.equal((await ownLink(owner, link)).receivedBytes, LARGE);
  });

  it('count among the 50 open uploads of an address, until they end', async () => {
    const { owner, visitor } = await open();
    const form = await pauseUpload(visitor);
    await untilReserved(owner, 1);
    for (let index = 0; index < 49; index += 1) {
      assert.equal(await announce(visitor, visitor.at('/tus'), 1), 201);
    }
    assert.equal(await announce(visitor, visitor.at('/tus'), 1), 429);
    assert.equal(await (await pauseUpload(visitor)).status, 429);
    const other = await pauseUpload(visitor, LARGE, { address: '203.0.113.2' });
    await untilReserved(owner, 2);
    await form.cut();
    await untilReserved(owner, 1);
    assert.equal(await announce(visitor, visitor.at('/tus'), 1), 201);
    assert.equal(await other.finish(), 200);
  });
});

describe('a form that runs while the link gets another password', () => {
  for (const size of [1_000, LARGE]) {
    it(`is rejected and leaves nothing behind (${size} bytes)`, async (t) => {
      const { owner, link, visitor } = await open();
      const stored = (await listStoredFiles(holdall)).length;
      const arriving = t.mock.method(holdall.app.visitorUploads, 'store');
      const form = await pauseUpload(visitor, size);
      await waitUntil('its bytes arrive', () => arriving.mock.callCount() === 1);
      await setPassword(owner, link, 'another');
      assert.equal(await form.finish(), 403);
      await untilStored(holdall, stored);
      assert.deepEqual([await owner.names('/inbox'), await owner.usedBytes()], [[], 0]);
      assert.equal((await ownLink(owner, link)).receivedFiles, 0);
      await visitor.enterPassword('another');
      assert.equal((await visitor.send('now', 'x')).status, 200);
    });
  }
});
