// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { DAY } from '../../../src/base/clock.ts';
import type { EntryDetails, EntryRecord } from '../../../src/drive/contract.ts';
import { toNewFile } from '../../../src/drive/drive.ts';
import type { FileVersion } from '../../../src/drive/versions/contract.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { CallOptions, Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { isPostgres } from '../../support/database/test-database.ts';
import { readChanges } from '../../support/events/changes.ts';
import { makePng } from '../../support/media/pictures.ts';
import { withoutDirect } from '../../support/storage/change-policy.ts';
import { waitFor } from '../../support/tasks/tasks.ts';

const TAKEN = '2019-07-06T05:04:03.210Z';
const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });
let alice: Person;

before(async () => {
  await withoutDirect(holdall);
  alice = await holdall.register('alice');
});
afterEach(() => checkBooks(holdall));

/** For tests that do not depend on the engine: on PostgreSQL they run only with `--full`. */
const fullOnPostgres = isPostgres ? inFull : {};

const contentOf = ({ id }: { id: number }) => `/api/v2/files/${id}/content`;
const versionsOf = ({ id }: { id: number }) => `/api/v2/files/${id}/versions`;
const replace = (file: { id: number }, body: unknown, options: CallOptions = {}, query = '') =>
  alice.ask<EntryRecord>('PUT', `${contentOf(file)}${query}`, { ...options, body });
const listVersions = (file: { id: number }) => alice.ask<readonly FileVersion[]>('GET', versionsOf(file));
const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const tagOf = async (file: { id: number }) =>
  (await alice.fetch('HEAD', `/api/files/download/${file.id}`)).headers.get('etag') ?? '';

async function openVersion(file: { id: number }, { id }: { id: number }): Promise<string> {
  const response = await alice.fetch('GET', `${versionsOf(file)}/${id}`);
  assert.equal(response.status, 200);
  return await response.text();
}

/** Returns the contents of the versions, newest first. */
async function contentsOfVersions(file: { id: number }): Promise<readonly string[]> {
  const contents: string[] = [];
  for (const version of await listVersions(file)) contents.push(await openVersion(file, version));
  return contents;
}

describe('replacing the content of a file', fullOnPostgres, () => {
  test('keeps the file and the old content as a version', async () => {
    const file = await alice.upload('/notes/a.txt', 'first', 'text/x-notes');
    holdall.clock.advance(10);
    const used = await alice.usedBytes();
    const record = await replace(file, 'the second', {}, `?modifiedAt=${TAKEN}`);
    const { size, updatedAt, modifiedAt, ...same } = record;
    const { size: _size, updatedAt: before, modifiedAt: uploadedAt, ...expected } = file;
    assert.deepEqual([same, size, modifiedAt], [expected, 10, TAKEN]);
    assert.ok(updatedAt > before);
    assert.equal((await alice.download(file)).toString(), 'the second');
    assert.equal((await alice.details(file)).sha256, sha256Of('the second'));
    assert.equal(await alice.usedBytes(), used + 5);
    const [version, ...others] = await listVersions(file);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [version?.size, version?.sha256, version?.modifiedAt],
      [5, sha256Of('first'), uploadedAt],
    );
    assert.equal(version?.replacedAt, updatedAt);
    assert.equal(await openVersion(file, version ?? file), 'first');
  });

  test('records an event UPDATED, by which other clients notice it', async () => {
    const file = await alice.upload('/events/a.txt', 'first');
    const { nextCursor } = await readChanges(alice, { limit: 1_000 });
    await replace(file, 'second');
    const { items } = await readChanges(alice, { cursor: nextCursor });
    assert.deepEqual(
      items.map(({ eventType, fileId, payload }) => [eventType, fileId, payload.size]),
      [['UPDATED', file.id, 6]],
    );
  });

  test('accepts large and empty content, and content without a length', async () => {
    const large = randomBytes(1_500_000);
    const file = await alice.upload('/sizes.bin', 'x');
    await replace(file, large);
    assert.ok((await alice.download(file)).equals(large));
    await replace(file, '');
    assert.equal((await alice.download(file)).length, 0);
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(large.subarray(0, 700_000)));
        controller.enqueue(new Uint8Array(large.subarray(700_000)));
        controller.close();
      },
    });
    await replace(file, chunks);
    assert.ok((await alice.download(file)).equals(large));
  });

  test('is rejected if the checksum is malformed or does not match the bytes', async () => {
    const file = await alice.upload('/checked.txt', 'first');
    await replace(file, 'second', { headers: { 'x-checksum-sha256': sha256Of('second').toUpperCase() } });
    const before = await alice.state();
    for (const sum of [sha256Of('third'), 'abc', `${sha256Of('4th')}0`]) {
      const options = { body: '4th', headers: { 'x-checksum-sha256': sum } };
      await alice.refused(400, 2400, 'PUT', contentOf(file), options);
    }
    assert.deepEqual(await alice.state(), before);
    assert.equal((await listVersions(file)).length, 1);
  });

  test('with If-Match needs the current tag', async () => {
    const file = await alice.upload('/matched.txt', 'first');
    const first = await tagOf(file);
    await replace(file, 'second', { headers: { 'if-match': `"other", ${first}` } });
    assert.notEqual(await tagOf(file), first);
    for (const tag of [first, '"x"', `W/${first}`]) {
      await alice.refused(412, 2412, 'PUT', contentOf(file), { body: 'no', headers: { 'if-match': tag } });
    }
    await replace(file, 'third', { headers: { 'if-match': '*' } });
    // A weak tag, as a proxy that compresses downloads sends it.
    await replace(file, 'fourth', { headers: { 'if-match': `W/${await tagOf(file)}` } });
    assert.deepEqual(await contentsOfVersions(file), ['third', 'second', 'first']);
  });

  test('is rejected for directories, and for foreign, recycled and unknown files', async () => {
    const directory = await alice.mkdir('/a directory');
    const file = await alice.upload('/mine.txt', 'mine');
    const bob = await holdall.register('bob');
    await alice.refused(400, 2400, 'PUT', contentOf(directory), { body: 'x' });
    assert.deepEqual(await listVersions(directory), []);
    await bob.refused(404, 2404, 'PUT', contentOf(file), { body: 'x' });
    await bob.refused(404, 2404, 'GET', versionsOf(file));
    await alice.refused(404, 2404, 'PUT', contentOf({ id: 999_999_999 }), { body: 'x' });
    await alice.refused(400, 2400, 'PUT', `${contentOf(file)}?modifiedAt=soon`, { body: 'x' });
    await alice.recycle(file);
    await alice.refused(404, 2404, 'PUT', contentOf(file), { body: 'x' });
  });

  test('charges only the size difference to the quota, so files in a full drive can change', async () => {
    const carol = await holdall.register('carol');
    const admin = asAdmin(await holdall.admin());
    const file = await carol.upload('/full.bin', new Uint8Array(900_000));
    await admin.user(carol, 'storage-quota', { storageQuotaBytes: 1_000_000 });
    const put = (size: number) => ({ body: new Uint8Array(size) });
    await carol.ask('PUT', contentOf(file), put(1_000_000));
    assert.equal(await carol.usedBytes(), 1_000_000);
    await carol.refused(413, 2413, 'PUT', contentOf(file), put(1_000_001));
    await carol.ask('PUT', contentOf(file), put(10));
    assert.equal(await carol.usedBytes(), 10);
    await carol.upload('/other.bin', new Uint8Array(500_000));
    const versions = await carol.ask<readonly FileVersion[]>('GET', versionsOf(file));
    assert.deepEqual(
      versions.map(({ size }) => size),
      [1_000_000],
      'the older one does not fit into the quota for versions',
    );
    const restore = `${versionsOf(file)}/${versions[0]?.id}/restore`;
    await carol.refused(413, 2413, 'POST', restore);
    assert.equal((await carol.ask<readonly FileVersion[]>('GET', versionsOf(file))).length, 1);
  });

  test('gives shares the new content and a new tag', async () => {
    const file = await alice.upload('/shared.txt', 'first');
    const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
      body: { fileId: file.id },
    });
    const open = () => holdall.anonymous.fetch('GET', `/api/v2/shares/${token}?download`);
    const before = await open();
    assert.equal(await before.text(), 'first');
    await replace(file, 'second');
    const after = await open();
    assert.equal(await after.text(), 'second');
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
  });

  test('reads the metadata of a picture again, also when a version is restored', async () => {
    const file = await alice.upload('/picture.png', makePng(30, 20), 'image/png');
    const hasWidth = (width: string) =>
      waitFor(
        () => alice.details(file),
        ({ metadata }: EntryDetails) => metadata['media:width'] === width,
        `width ${width}`,
      );
    await hasWidth('30');
    await replace(file, makePng(7, 5));
    await hasWidth('7');
    const [version] = await listVersions(file);
    await alice.ask('POST', `${versionsOf(file)}/${version?.id}/restore`);
    await hasWidth('30');
  });
});

describe('versions', fullOnPostgres, () => {
  test('are downloaded under the name of the file, with ranges and tags', async () => {
    const file = await alice.upload('/ranged.txt', '0123456789');
    await replace(file, 'x');
    const [version] = await listVersions(file);
    const url = `${versionsOf(file)}/${version?.id}`;
    const response = await alice.fetch('GET', url, { headers: { range: 'bytes=2-4' } });
    assert.deepEqual([response.status, await response.text()], [206, '234']);
    assert.match(response.headers.get('content-disposition') ?? '', /ranged\.txt/);
    const tag = response.headers.get('etag') ?? '';
    const again = await alice.fetch('GET', url, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
  });

  test('keep their time when restored, and the replaced content becomes a version', async () => {
    const file = await alice.upload('/restored.txt', 'one');
    await replace(file, 'two', {}, `?modifiedAt=${TAKEN}`);
    await replace(file, 'three');
    const [two] = await listVersions(file);
    const record = await alice.ask<EntryRecord>('POST', `${versionsOf(file)}/${two?.id}/restore`);
    assert.deepEqual([record.id, record.size, record.modifiedAt], [file.id, 3, TAKEN]);
    assert.equal((await alice.download(file)).toString(), 'two');
    assert.deepEqual(await contentsOfVersions(file), ['three', 'one']);
    await alice.refused(404, 2404, 'POST', `${versionsOf(file)}/${two?.id}/restore`);
  });

  test('can be deleted one by one', async () => {
    const file = await alice.upload('/deleted.txt', 'one');
    await replace(file, 'two');
    await replace(file, 'three');
    const [two] = await listVersions(file);
    const other = await alice.upload('/other.txt', 'x');
    await alice.refused(404, 2404, 'DELETE', `${versionsOf(other)}/${two?.id}`);
    await alice.ask('DELETE', `${versionsOf(file)}/${two?.id}`);
    await alice.refused(404, 2404, 'GET', `${versionsOf(file)}/${two?.id}`);
    assert.deepEqual(await contentsOfVersions(file), ['one']);
  });

  test('are limited to 20: the oldest are deleted', async () => {
    const file = await alice.upload('/many.txt', '0');
    for (let count = 1; count <= 22; count += 1) await replace(file, `${count}`);
    const kept = Array.from({ length: 20 }, (_, index) => `${21 - index}`);
    assert.deepEqual(await contentsOfVersions(file), kept);
  });

  test('are not copied, but stay with a renamed, moved or recycled file until it is purged', async () => {
    const file = await alice.upload('/kept/a.txt', 'one');
    await replace(file, 'two');
    const copy = await alice.copy(file, '/');
    assert.deepEqual(await listVersions(copy), []);
    await alice.move(await alice.rename(file, 'b.txt'), '/');
    await alice.recycle(file);
    await alice.refused(404, 2404, 'GET', versionsOf(file));
    await alice.restore(file);
    assert.deepEqual(await contentsOfVersions(file), ['one']);
    await alice.recycle(file);
    await alice.purge(file);
    const { db } = holdall.app.database;
    const left = await db.selectFrom('file_version').select('id').where('entry_id', '=', file.id).execute();
    assert.deepEqual(left, []);
    assert.equal((await alice.download(copy)).toString(), 'two');
  });

  test('protect their bytes from the sweeper, and count in the list of stored objects', async () => {
    const file = await alice.upload('/swept.txt', 'the only copy of these bytes');
    await replace(file, 'x');
    holdall.clock.advance(2 * DAY);
    await alice.logIn();
    await holdall.app.cleanUp();
    assert.deepEqual(await contentsOfVersions(file), ['the only copy of these bytes']);
    const admin = asAdmin(await holdall.admin());
    const { items } = await admin.blobs({ size: 1_000 });
    const blob = items.find(({ sha256 }) => sha256 === sha256Of('the only copy of these bytes'));
    assert.deepEqual([blob?.referenceCount, blob?.linkedOwnerCount, blob?.referenceMismatch], [1, 1, false]);
  });

  test('are deleted 10 days after they were replaced', async () => {
    const dora = await holdall.register('dora');
    const file = await dora.upload('/expired.txt', 'one');
    await dora.ask('PUT', contentOf(file), { body: 'two' });
    holdall.clock.advance(9 * DAY);
    await dora.logIn();
    await dora.ask('PUT', contentOf(file), { body: 'three' });
    await holdall.app.cleanUp();
    const list = () => dora.ask<readonly FileVersion[]>('GET', versionsOf(file));
    assert.equal((await list()).length, 2);
    holdall.clock.advance(2 * DAY);
    await dora.logIn();
    await holdall.app.cleanUp();
    assert.deepEqual(
      (await list()).map(({ size }) => size),
      [3],
    );
    assert.equal((await dora.download(file)).toString(), 'three');
    await alice.logIn();
  });
});

describe('races', () => {
  const atBoth = (index: number, path: string) =>
    new URL(path, index % 2 === 0 ? holdall.url : beside.url).href;

  test('each of several contents stored at the same time becomes the current one or a version', async () => {
    const file = await alice.upload('/race.txt', 'content 0');
    const contents = Array.from({ length: 15 }, (_, index) => `content ${index + 1}`);
    const answers = await Promise.all(
      contents.map((body, index) => alice.call('PUT', atBoth(index, contentOf(file)), { body })),
    );
    assert.ok(answers.every(({ code }) => code === 0));
    const current = (await alice.download(file)).toString();
    const all = [current, ...(await contentsOfVersions(file))];
    assert.deepEqual(all.toSorted(), ['content 0', ...contents].toSorted());
  });

  test('of requests with the same tag, one succeeds', async () => {
    const file = await alice.upload('/tagged.txt', 'first');
    const headers = { 'if-match': await tagOf(file) };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        alice.call('PUT', atBoth(index, contentOf(file)), { body: `content ${index}`, headers }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 412)]);
    assert.deepEqual(await contentsOfVersions(file), ['first']);
  });

  test('the books balance after simultaneous restores, deletions and a purge', async () => {
    for (let round = 0; round < 4; round += 1) {
      const file = await alice.upload(`/books ${round}.txt`, 'one');
      await replace(file, 'two');
      const [version] = await listVersions(file);
      const one = `${versionsOf(file)}/${version?.id}`;
      await Promise.all([
        alice.call('POST', atBoth(0, `${one}/restore`)),
        alice.call('DELETE', atBoth(1, one)),
        alice.call('PUT', atBoth(0, contentOf(file)), { body: 'three' }),
        alice.call('DELETE', atBoth(1, `/api/files/${file.id}`)),
      ]);
      await alice.call('DELETE', `/api/files/recycle-bin/${file.id}`);
    }
  });
});

describe('storing content at a path', () => {
  test('creates the file or replaces its content: of several concurrent requests one creates it', async () => {
    const { drive } = holdall.app;
    const actor = { driveId: alice.driveId, accountId: alice.id, clientId: null };
    const store = (content: string, options = {}) =>
      drive.content.store(
        actor,
        { file: toNewFile({ path: '/stored/at', filename: 'path.txt' }), ...options },
        { source: bytesOf(content), size: { minBytes: content.length, maxBytes: content.length } },
      );
    await assert.rejects(store('x', { createsParents: false }), { kind: 'not-found' });
    const stored = await Promise.all(['a', 'bb', 'ccc', 'dddd'].map((content) => store(content)));
    assert.equal(stored.filter(({ isNew }) => isNew).length, 1);
    const [entry] = (await alice.list('/stored/at')).items;
    assert.ok(entry);
    const contents = [(await alice.download(entry)).toString(), ...(await contentsOfVersions(entry))];
    assert.deepEqual(contents.toSorted(), ['a', 'bb', 'ccc', 'dddd']);
    await alice.mkdir('/stored/directory');
    const directory = toNewFile({ path: '/stored', filename: 'directory' });
    const content = { source: bytesOf('x'), size: { minBytes: 1, maxBytes: 1 } };
    await assert.rejects(drive.content.store(actor, { file: directory }, content), { kind: 'conflict' });
    const below = toNewFile({ path: '/stored/at/path.txt', filename: 'below' });
    await assert.rejects(drive.content.store(actor, { file: below }, content), { kind: 'conflict' });
  });
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
