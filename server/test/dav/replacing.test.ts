// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { type DavClient, named, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';

const holdall = await startHoldall();
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
});

/** For tests that do not depend on the engine: on PostgreSQL they run only with `--full`. */
const fullOnPostgres = isPostgres ? inFull : {};

interface Detail {
  readonly path: string;
  readonly starred: boolean;
  readonly contentType: string;
  readonly modifiedAt: string;
}

const share = ({ id }: { id: number }) =>
  alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: id } });
const star = ({ id }: { id: number }) => alice.ask('PUT', `/api/v2/files/${id}/star`);
const detail = ({ id }: { id: number }) => alice.ask<Detail>('GET', `/api/v2/files/${id}`);
const versionSizes = async ({ id }: { id: number }) =>
  (await alice.ask<readonly { size: number }[]>('GET', `/api/v2/files/${id}/versions`)).map(
    ({ size }) => size,
  );
const binPaths = async () => (await alice.bin()).items.map(({ originalPath }) => originalPath);

for (const method of ['copy', 'move'] as const) {
  test(`${method.toUpperCase()} of a file onto a file keeps its id, share, star and versions`, async () => {
    const document = await alice.upload(`/${method}/a.txt`, 'first');
    const { token } = await share(document);
    await star(document);
    await client.put(`/dav/${method}/a.txt`, 'second!');
    await client.put(`/dav/${method}/a.tmp`, 'the third', { 'x-oc-mtime': '1000000000' });
    const saved = await client[method](`/dav/${method}/a.tmp`, `/dav/${method}/a.txt`, { overwrite: 'T' });
    assert.equal(saved.status, 204);
    const { path, starred, contentType, modifiedAt } = await detail(document);
    assert.deepEqual(
      [path, starred, contentType, modifiedAt],
      [`/${method}/a.txt`, true, 'text/plain', '2001-09-09T01:46:40.000Z'],
    );
    assert.equal((await alice.download(document)).toString(), 'the third');
    assert.deepEqual(await versionSizes(document), [7, 5]);
    const shared = await alice.ask<{ fileSize?: number }>('GET', `/api/v2/shares/${token}`);
    assert.ok(shared);
    assert.deepEqual(
      await client.names(`/dav/${method}`),
      method === 'copy' ? ['a.tmp', 'a.txt'] : ['a.txt'],
    );
    assert.deepEqual(await binPaths(), []);
  });
}

test('a save by MOVE reports the source as deleted and the document as updated', fullOnPostgres, async () => {
  const document = await alice.upload('/events/a', 'a');
  const temporary = await alice.upload('/events/b', 'b');
  const cursor = await newestOf(alice);
  await client.move('/dav/events/b', '/dav/events/a');
  const { items } = await readChanges(alice, { cursor });
  assert.deepEqual(
    items.map(({ eventType, fileId, fromPath, toPath }) => [eventType, fileId, fromPath, toPath]),
    [
      ['DELETED', temporary.id, '/events/b', null],
      ['PURGED', temporary.id, '/events/b', null],
      ['UPDATED', document.id, null, '/events/a'],
    ],
  );
});

test('a shared, starred or edited source of a MOVE can be restored', fullOnPostgres, async () => {
  const sources = await Promise.all(
    ['shared', 'starred', 'edited'].map((name) => alice.upload(`/kept/${name}`, name)),
  );
  const [shared, starred, edited] = sources;
  assert.ok(shared !== undefined && starred !== undefined && edited !== undefined);
  const { token } = await share(shared);
  await star(starred);
  await client.put('/dav/kept/edited', 'again');
  await alice.upload('/kept/a', 'a');
  for (const name of ['shared', 'starred', 'edited']) {
    assert.equal((await client.move(`/dav/kept/${name}`, '/dav/kept/a')).status, 204);
  }
  assert.equal(await client.get('/dav/kept/a'), 'again');
  assert.deepEqual((await binPaths()).sort(), ['/kept/edited', '/kept/shared', '/kept/starred']);
  await alice.refused(404, 2404, 'GET', `/api/v2/shares/${token}`);
  for (const source of sources) await alice.restore(source);
  assert.ok(await alice.ask('GET', `/api/v2/shares/${token}`));
  assert.equal((await detail(starred)).starred, true);
  assert.deepEqual(await versionSizes(edited), [6]);
});

test(
  'a source of MOVE that was created empty before it was written is not put into the bin',
  fullOnPostgres,
  async () => {
    await alice.upload('/empty-first/a', 'a');
    const before = (await binPaths()).length;
    const lock = await client.locked('/dav/empty-first/b');
    await client.put('/dav/empty-first/b', 'b', { if: lock.if });
    assert.equal(
      (await client.move('/dav/empty-first/b', '/dav/empty-first/a', { if: lock.if })).status,
      204,
    );
    assert.equal((await binPaths()).length, before);
  },
);

test('a save by MOVE needs the lock token of the document, and keeps its lock', fullOnPostgres, async () => {
  await alice.upload('/locked/a', 'a');
  await alice.upload('/locked/b', 'b');
  const lock = await client.locked('/dav/locked/a');
  assert.equal((await client.move('/dav/locked/b', '/dav/locked/a')).status, 423);
  assert.equal((await client.copy('/dav/locked/b', '/dav/locked/a')).status, 423);
  const tagged = { if: `</dav/locked/a> ${lock.if}` };
  assert.equal((await client.copy('/dav/locked/b', '/dav/locked/a', tagged)).status, 204);
  assert.equal((await client.move('/dav/locked/b', '/dav/locked/a', tagged)).status, 204);
  assert.equal((await client.put('/dav/locked/a', 'c')).status, 423, 'the lock is still there');
  assert.equal((await client.put('/dav/locked/a', 'c', { if: lock.if })).status, 204);
});

test('a replaced document keeps its properties, and gets those of the source', fullOnPostgres, async () => {
  await alice.upload('/properties/a', 'a');
  const set = (name: string, properties: string) =>
    client.proppatch(`/dav/properties/${name}`, `<D:set><D:prop>${properties}</D:prop></D:set>`);
  await set('a', '<a:own>document</a:own><a:both>document</a:both>');
  for (const method of ['copy', 'move'] as const) {
    await client.put('/dav/properties/b', 'b');
    await set('b', `<a:both>${method}</a:both><a:new>${method}</a:new>`);
    assert.equal((await client[method]('/dav/properties/b', '/dav/properties/a')).status, 204);
    const [file] = await client.propfind('/dav/properties/a', '0', named('<a:own/><a:both/><a:new/>'));
    assert.ok(file !== undefined);
    assert.deepEqual(
      ['own', 'both', 'new'].map((name) => textOfProperty(file, name, 'urn:a')),
      ['document', method, method],
    );
  }
});

test('a save by MOVE may fill the quota, but a COPY beyond it is 507', fullOnPostgres, async () => {
  const full = await holdall.register('full');
  const writer = await asDavClient(full);
  await full.upload('/a', Buffer.alloc(1_000));
  await full.upload('/b', Buffer.alloc(3_000));
  const { id } = await full.ask<{ id: number }>('GET', '/api/user/profile');
  const admin = await holdall.admin();
  await admin.ask('PATCH', `/api/admin/users/${id}/storage-quota`, { body: { storageQuotaBytes: 4_000 } });
  assert.equal((await writer.copy('/dav/b', '/dav/a')).status, 507);
  assert.equal((await writer.move('/dav/b', '/dav/a')).status, 204);
  assert.equal(await full.usedBytes(), 3_000);
});

test('a replacement of or by a directory replaces the whole entry', fullOnPostgres, async () => {
  const directory = await alice.mkdir('/whole/dir');
  const file = await alice.upload('/whole/file', 'x');
  await alice.upload('/whole/other', 'y');
  assert.equal((await client.move('/dav/whole/other', '/dav/whole/dir')).status, 204);
  await alice.mkdir('/whole/second');
  assert.equal((await client.move('/dav/whole/second', '/dav/whole/file')).status, 204);
  const binned = (await alice.bin()).items.map(({ id }) => id);
  assert.ok(binned.includes(directory.id) && binned.includes(file.id));
});

test('of many simultaneous saves of one document by MOVE, each is current once', async () => {
  const document = await alice.upload('/raced/a', '-');
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => alice.upload(`/raced/${index}`, `${index}`.repeat(index + 2))),
  );
  let next = 0;
  const statuses = await race([alice], 6, async () => {
    next += 1;
    return (await client.move(`/dav/raced/${next - 1}`, '/dav/raced/a')).status;
  });
  assert.deepEqual(statuses, Array(6).fill(204));
  const sizes = [...(await versionSizes(document)), (await alice.download(document)).length];
  assert.deepEqual(sizes.sort(), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(await client.names('/dav/raced'), ['a']);
});

test('after all replacements the books balance', () => checkBooks(holdall));
