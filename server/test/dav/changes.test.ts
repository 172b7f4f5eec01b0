// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
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

const paths = async () => (await alice.tree()).map(({ path }) => path);

test('MKCOL creates a directory: 405 if the name is taken, 409 without a parent, 415 with a body', async () => {
  await client.expect(201, 'MKCOL', '/dav/new%20dir/');
  await client.expect(201, 'MKCOL', '/dav/new%20dir/below');
  assert.deepEqual(await client.names('/dav/new%20dir'), ['below']);
  await client.expect(405, 'MKCOL', '/dav/new%20dir');
  await client.expect(405, 'MKCOL', '/dav/');
  await alice.upload('/file', 'x');
  await client.expect(405, 'MKCOL', '/dav/file');
  await client.expect(409, 'MKCOL', '/dav/file/below');
  await client.expect(409, 'MKCOL', '/dav/none/below');
  await client.expect(415, 'MKCOL', '/dav/other', { body: '<mkcol xmlns="DAV:"/>' });
  await client.expect(415, 'MKCOL', '/dav/other', { body: 'x', isChunked: true });
  assert.equal((await paths()).includes('/other'), false);
});

test('of several MKCOL requests for one name, one creates the directory', async () => {
  const statuses = await race([alice], 8, async () => (await client.send('MKCOL', '/dav/raced')).status);
  assert.deepEqual(statuses.sort(), [201, ...Array(7).fill(405)]);
});

test('DELETE moves an entry to the recycle bin', async () => {
  await alice.upload('/to delete/a.txt', 'x');
  await client.expect(400, 'DELETE', '/dav/to%20delete/', { headers: { depth: '0' } });
  await client.expect(204, 'DELETE', '/dav/to%20delete/');
  await client.expect(404, 'DELETE', '/dav/to%20delete/');
  await client.expect(404, 'GET', '/dav/to%20delete/a.txt');
  const [deleted] = (await alice.bin()).items;
  assert.equal(deleted?.originalPath, '/to delete');
  await client.expect(403, 'DELETE', '/dav/');
});

test('COPY and MOVE return 201, or 204 when they replace something', async () => {
  await alice.upload('/from/a.txt', 'a');
  await alice.upload('/from/b.txt', 'b');
  assert.equal((await client.copy('/dav/from/a.txt', `${holdall.url}/dav/from/copy.txt`)).status, 201);
  assert.equal((await client.copy('/dav/from/b.txt', '/dav/from/copy.txt')).status, 204);
  assert.equal(await client.get('/dav/from/copy.txt'), 'b');
  assert.equal((await client.move('/dav/from/copy.txt', '/dav/from/moved%20%C3%BC.txt')).status, 201);
  assert.equal((await client.move('/dav/from/a.txt', '/dav/from/moved%20%C3%BC.txt')).status, 204);
  assert.deepEqual(await client.names('/dav/from'), ['b.txt', 'moved ü.txt']);
  assert.equal(await client.get('/dav/from/moved%20%C3%BC.txt'), 'a');
});

test('a moved entry keeps its id', async () => {
  const { id } = await alice.upload('/kept/one.txt', 'x');
  await client.move('/dav/kept/one.txt', '/dav/kept/two.txt');
  await client.move('/dav/kept/two.txt', '/dav/three.txt');
  const { path } = await alice.ask<{ path: string }>('GET', `/api/v2/files/${id}`);
  assert.equal(path, '/three.txt');
});

test('Overwrite: F rejects a replacement with 412', async () => {
  await alice.upload('/overwrite/a.txt', 'a');
  await alice.upload('/overwrite/b.txt', 'b');
  for (const method of ['copy', 'move'] as const) {
    const refused = await client[method]('/dav/overwrite/a.txt', '/dav/overwrite/b.txt', { overwrite: 'F' });
    assert.equal(refused.status, 412);
    const invalid = await client[method]('/dav/overwrite/a.txt', '/dav/overwrite/c.txt', { overwrite: 'X' });
    assert.equal(invalid.status, 400);
  }
  assert.equal(
    (await client.copy('/dav/overwrite/a.txt', '/dav/overwrite/c.txt', { overwrite: 'F' })).status,
    201,
  );
  assert.equal(await client.get('/dav/overwrite/b.txt'), 'b');
});

test('COPY of a directory copies everything below it, or with depth 0 only the directory', async () => {
  await alice.upload('/tree/sub/deep.txt', 'deep');
  const properties = '<D:set><D:prop><a:color>red</a:color></D:prop></D:set>';
  for (const address of ['/dav/tree', '/dav/tree/sub', '/dav/tree/sub/deep.txt']) {
    assert.equal((await client.proppatch(address, properties)).status, 207);
  }
  assert.equal((await client.copy('/dav/tree/', '/dav/whole/')).status, 201);
  assert.equal((await client.copy('/dav/tree/', '/dav/shallow', { depth: '0' })).status, 201);
  assert.equal((await client.copy('/dav/tree/', '/dav/other', { depth: '1' })).status, 400);
  assert.equal(await client.get('/dav/whole/sub/deep.txt'), 'deep');
  assert.deepEqual(await client.names('/dav/shallow/'), []);
  for (const address of ['/dav/whole', '/dav/whole/sub', '/dav/whole/sub/deep.txt', '/dav/shallow']) {
    const [copy] = await client.propfind(address, '0', named('<a:color/>'));
    assert.ok(copy !== undefined);
    assert.equal(textOfProperty(copy, 'color', 'urn:a'), 'red');
  }
});

test('MOVE of a directory moves everything below it', async () => {
  await alice.upload('/moving/sub/deep.txt', 'deep');
  await client.proppatch('/dav/moving/sub/deep.txt', '<D:set><D:prop><a:b>c</a:b></D:prop></D:set>');
  assert.equal((await client.move('/dav/moving/', '/dav/m2', { depth: '0' })).status, 400);
  assert.equal((await client.move('/dav/moving/', '/dav/m2')).status, 201);
  assert.equal(await client.get('/dav/m2/sub/deep.txt'), 'deep');
  const [file] = await client.propfind('/dav/m2/sub/deep.txt', '0', named('<a:b/>'));
  assert.ok(file !== undefined);
  assert.equal(textOfProperty(file, 'b', 'urn:a'), 'c');
  await client.expect(404, 'PROPFIND', '/dav/moving/', { headers: { depth: '0' } });
});

test('copies and moves of the root, or of a directory into itself, are rejected with 403', async () => {
  await alice.upload('/self/sub/a.txt', 'a');
  const before = await alice.state();
  for (const method of ['copy', 'move'] as const) {
    for (const [from, to] of [
      ['/dav/self/', '/dav/self'],
      ['/dav/self/', '/dav/self/sub/x'],
      ['/dav/self/sub/', '/dav/self'],
      ['/dav/', '/dav/self/root'],
      ['/dav/self/', '/dav/'],
    ] as const) {
      assert.equal((await client[method](from, to)).status, 403, `${method} ${from} ${to}`);
    }
  }
  assert.deepEqual(await alice.state(), before);
});

test('a foreign destination is 502, one without a parent 409, a missing one 400, a missing source 404', async () => {
  await alice.upload('/source.txt', 'a');
  const before = await alice.state();
  for (const method of ['copy', 'move'] as const) {
    for (const [to, status] of [
      ['http://other.example/dav/x', 502],
      [`${holdall.url}/api/files`, 502],
      ['/elsewhere/x', 502],
      ['/dav/none/x', 409],
      ['/dav/source.txt/x', 403],
      ['dav/x', 400],
      ['/dav/..%2fx', 400],
      ['/dav/%2e%2e/x', 400],
      ['/dav/%ff', 400],
    ] as const) {
      assert.equal((await client[method]('/dav/source.txt', to)).status, status, `${method} ${to}`);
    }
    assert.equal((await client[method]('/dav/none', '/dav/x')).status, 404);
  }
  await client.expect(400, 'COPY', '/dav/source.txt');
  assert.deepEqual(await alice.state(), before);
});

test('addresses in headers may be raw UTF-8; other raw bytes are 400', async () => {
  const raw = (text: string) => Buffer.from(text).toString('latin1');
  await alice.upload('/raw/a', 'a');
  assert.equal((await client.copy('/dav/raw/a', raw('/dav/raw/é 文.txt'))).status, 201);
  assert.equal((await client.copy('/dav/raw/a', raw(`${holdall.url}/dav/raw/%C3%BC é`))).status, 201);
  assert.deepEqual((await client.names('/dav/raw')).toSorted(), ['a', 'é 文.txt', 'ü é'].toSorted());
  const before = await paths();
  for (const method of ['copy', 'move'] as const)
    assert.equal((await client[method]('/dav/raw/a', '/dav/raw/\xe9.txt')).status, 400, 'Latin-1');
  assert.deepEqual(await paths(), before);
  const { token } = await client.locked('/dav/raw/%C3%A9%20%E6%96%87.txt');
  const condition = (address: string) => ({ if: `<${address}> (${token})` });
  const matched = await client.copy('/dav/raw/a', '/dav/raw/b', condition(raw('/dav/raw/é%20文.txt')));
  assert.equal(matched.status, 201);
  assert.equal((await client.copy('/dav/raw/a', '/dav/raw/c', condition('/dav/raw/\xe9'))).status, 400);
});

test('a copy beyond the quota is 507 and leaves nothing behind', async () => {
  const small = await holdall.register('small');
  await small.upload('/Documents/a.bin', new Uint8Array(1_000));
  const { id } = await small.ask<{ id: number }>('GET', '/api/user/profile');
  const admin = await holdall.admin();
  await admin.ask('PATCH', `/api/admin/users/${id}/storage-quota`, { body: { storageQuotaBytes: 1_500 } });
  const smallClient = await asDavClient(small);
  const before = await small.state();
  assert.equal((await smallClient.copy('/dav/Documents/', '/dav/Pictures/')).status, 507);
  assert.deepEqual(await small.state(), before);
});

test('every change records an event', async () => {
  const watcher = await holdall.register('watcher');
  const watched = await asDavClient(watcher);
  const cursor = await newestOf(watcher);
  await watched.expect(201, 'MKCOL', '/dav/one');
  await watched.put('/dav/one/a.txt', 'a');
  await watched.copy('/dav/one/a.txt', '/dav/one/b.txt');
  await watched.move('/dav/one/b.txt', '/dav/one/c.txt');
  await watched.move('/dav/one/c.txt', '/dav/d.txt');
  await watched.expect(204, 'DELETE', '/dav/one');
  const { items } = await readChanges(watcher, { cursor });
  assert.deepEqual(
    items.map(({ eventType, fromPath, toPath }) => [eventType, fromPath, toPath]),
    [
      ['CREATED', null, '/one'],
      ['CREATED', null, '/one/a.txt'],
      ['CREATED', null, '/one/b.txt'],
      ['RENAMED', '/one/b.txt', '/one/c.txt'],
      ['MOVED', '/one/c.txt', '/d.txt'],
      ['DELETED', '/one', null],
    ],
  );
});

test('after all these changes the books balance', () => checkBooks(holdall));
