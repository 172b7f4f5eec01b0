// tier: default
// runs on: sqlite, postgres
// COPY and MOVE between the personal drive and shared drives, and between two shared drives.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { race } from '../support/checks/race.ts';
import { type DavClient, hasCondition, hrefsIn, named, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { changeRole } from '../support/drives/members.ts';
import { createManagedDrive, inDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
let alice: Person;
let bob: Person;
let client: DavClient;
let bobsClient: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
  client = await asDavClient(alice);
  bobsClient = await asDavClient(bob);
});

interface SharedRoot {
  readonly id: number;
  /** The address of the root. */
  readonly root: string;
  /** Alice's view of the drive. */
  readonly view: Person;
}

async function insertDrive(name: string, quotaBytes = 1_000_000): Promise<SharedRoot> {
  const id = await createManagedDrive(
    holdall,
    [
      [alice, 'EDITOR'],
      [bob, 'EDITOR'],
    ],
    { name, quotaBytes },
  );
  return { id, root: `/drives/${name}/`, view: inDrive(alice, id) };
}

const SET_COLOR = '<D:set><D:prop><a:color>red</a:color></D:prop></D:set>';

async function colorOf(address: string): Promise<string> {
  const [found] = await client.propfind(address, '0', named('<a:color/>'));
  assert.ok(found !== undefined);
  return textOfProperty(found, 'color', 'urn:a');
}

const binOf = async (person: Person) => (await person.bin()).items;
const versionSizes = async (person: Person, id: number) =>
  (await person.ask<readonly { size: number }[]>('GET', `/api/v2/files/${id}/versions`)).map(
    ({ size }) => size,
  );
const idOf = async (person: Person, path: string) => {
  const found = (await person.tree()).find((entry) => entry.path === path);
  assert.ok(found !== undefined, path);
  return found.id;
};

test('COPY and MOVE work in every direction, with all properties; a MOVE puts the original into its bin', async () => {
  const [one, two] = [await insertDrive('One'), await insertDrive('Two')];
  const personal = { root: '/dav/', view: alice };
  for (const [from, to] of [
    [personal, one],
    [one, two],
    [two, personal],
  ] as const) {
    await client.expect(201, 'MKCOL', `${from.root}tree`);
    await client.expect(201, 'MKCOL', `${from.root}tree/sub`);
    await client.put(`${from.root}tree/sub/deep.txt`, `from ${from.root}`);
    for (const address of ['tree/', 'tree/sub/', 'tree/sub/deep.txt']) {
      await client.proppatch(from.root + address, SET_COLOR);
    }
    const id = await idOf(from.view, '/tree');
    const source = `${from.root}tree/`;
    assert.equal((await client.copy(source, `${holdall.url}${to.root}copy/`)).status, 201);
    assert.equal((await client.copy(source, `${to.root}shallow`, { depth: '0' })).status, 201);
    assert.deepEqual(await client.names(`${to.root}shallow/`), []);
    assert.equal((await client.move(source, `${to.root}moved`)).status, 201);
    for (const name of ['copy', 'moved']) {
      assert.equal(await client.get(`${to.root}${name}/sub/deep.txt`), `from ${from.root}`);
      assert.equal(await colorOf(`${to.root}${name}/sub/deep.txt`), 'red');
      assert.equal(await colorOf(`${to.root}${name}/sub/`), 'red');
    }
    for (const name of ['copy', 'shallow', 'moved']) assert.equal(await colorOf(to.root + name), 'red');
    await client.expect(404, 'PROPFIND', source, { headers: { depth: '0' } });
    const [recycled] = await binOf(from.view);
    assert.deepEqual([recycled?.id, recycled?.originalPath], [id, '/tree']);
    assert.notEqual(await idOf(to.view, '/moved'), id);
    await from.view.restore({ id });
    assert.equal(await colorOf(`${source}sub/deep.txt`), 'red', 'the original has kept its properties');
    await client.expect(204, 'DELETE', source);
    for (const name of ['copy', 'shallow', 'moved']) await client.expect(204, 'DELETE', to.root + name);
  }
});

for (const method of ['copy', 'move'] as const) {
  test(`${method.toUpperCase()} of a file onto a file of another drive gives it the content`, async () => {
    const { root, view } = await insertDrive(`Onto-${method}`);
    await client.put(`${root}a.txt`, 'first');
    await client.put(`/dav/${method}.txt`, 'the second');
    await client.proppatch(`/dav/${method}.txt`, SET_COLOR);
    const [id, sourceId] = [await idOf(view, '/a.txt'), await idOf(alice, `/${method}.txt`)];
    const lock = await client.locked(`${root}a.txt`);
    const headers = { if: `<${root}a.txt> ${lock.if}` };
    const send = (more: Record<string, string>) => client[method](`/dav/${method}.txt`, `${root}a.txt`, more);
    assert.equal((await send({ ...headers, overwrite: 'F' })).status, 412);
    assert.equal((await send({ ...headers, 'if-match': '"other"' })).status, 412);
    assert.equal((await send(headers)).status, 204);
    assert.equal(await client.get(`${root}a.txt`), 'the second');
    assert.equal(await colorOf(`${root}a.txt`), 'red');
    assert.equal(await idOf(view, '/a.txt'), id);
    assert.deepEqual(await versionSizes(view, id), [5]);
    assert.equal((await client.put(`${root}a.txt`, 'x')).status, 423, 'its lock has not ended');
    assert.deepEqual(await binOf(view), []);
    const recycled = (await binOf(alice)).filter((entry) => entry.id === sourceId);
    assert.equal(recycled.length, method === 'move' ? 1 : 0);
  });

  test(`${method.toUpperCase()} onto a directory of another drive moves that to the bin there`, async () => {
    const { root, view } = await insertDrive(`Dir-${method}`);
    await client.expect(201, 'MKCOL', `${root}dir`);
    await client.put(`${root}dir/old.txt`, 'old');
    await client.expect(201, 'MKCOL', `/dav/dir-${method}`);
    await client.put(`/dav/dir-${method}/new.txt`, 'new');
    const send = (overwrite: string) => client[method](`/dav/dir-${method}`, `${root}dir`, { overwrite });
    assert.equal((await send('F')).status, 412);
    assert.equal((await send('T')).status, 204);
    assert.deepEqual(await client.names(`${root}dir/`), ['new.txt']);
    assert.deepEqual(
      (await binOf(view)).map(({ originalPath }) => originalPath),
      ['/dir'],
    );
  });
}

test('a directory that is missing is 409, an unknown drive 404, a role that is too low 403', async () => {
  const [{ id, root }, from] = [await insertDrive('Target'), await insertDrive('Source')];
  await client.put('/dav/status.txt', 'x');
  await client.put(`${from.root}a.txt`, 'x');
  await createManagedDrive(holdall, [[bob, 'EDITOR']], { name: 'Not hers' });
  for (const send of [client.copy.bind(client), client.move.bind(client)]) {
    assert.equal((await send('/dav/status.txt', `${root}none/a.txt`)).status, 409);
    assert.equal((await send('/dav/none.txt', `${root}a.txt`)).status, 404);
    assert.equal((await send('/dav/status.txt', '/drives/None/a.txt')).status, 404);
    assert.equal((await send('/dav/status.txt', '/drives/Not%20hers/a.txt')).status, 404);
    assert.equal((await send('/dav/', `${root}a`)).status, 403);
    await changeRole(holdall, id, alice, 'VIEWER');
    assert.equal((await send('/dav/status.txt', `${root}a.txt`)).status, 403);
    await changeRole(holdall, id, alice, 'EDITOR');
  }
  await changeRole(holdall, from.id, alice, 'VIEWER');
  assert.equal((await client.move(`${from.root}a.txt`, `${root}a.txt`)).status, 403);
  assert.equal((await client.copy(`${from.root}a.txt`, `${from.root}b.txt`)).status, 403);
  assert.equal((await client.copy(`${from.root}a.txt`, `${root}a.txt`)).status, 201, 'a VIEWER copies out');
  assert.equal((await client.copy(`${from.root}a.txt`, '/dav/from-viewer.txt')).status, 201);
  const reader = await asDavClient(alice, 'READ');
  assert.equal((await reader.copy(`${from.root}a.txt`, `${root}c.txt`)).status, 403);
});

test('the quota is that of the target', async () => {
  const { root } = await insertDrive('Small', 10);
  await client.put('/dav/large.txt', '12345678901');
  await client.put('/dav/small.txt', '1234567890');
  const before = await alice.state();
  for (const send of [client.copy.bind(client), client.move.bind(client)]) {
    assert.equal((await send('/dav/large.txt', `${root}a.txt`)).status, 507);
  }
  assert.deepEqual(await alice.state(), before);
  assert.equal((await client.copy('/dav/small.txt', `${root}a.txt`)).status, 201);
  assert.equal((await client.copy('/dav/large.txt', `${root}a.txt`)).status, 507, 'as new content, too');
  assert.equal((await client.move(`${root}a.txt`, '/dav/back.txt')).status, 201);
  assert.equal((await client.copy('/dav/small.txt', `${root}b.txt`)).status, 201, 'the bin does not count');
});

test('the properties must have room in the target', async () => {
  const { id, root, view } = await insertDrive('Full');
  for (const name of ['a', 'b']) await client.put(`${root}${name}.txt`, name);
  const entryId = await idOf(view, '/a.txt');
  const { database } = holdall.app;
  // As if the drive had as many properties as it may.
  const all = { entry_id: entryId, drive_id: id, bytes: 16 * 1_024 ** 2, properties: '[]' };
  await database.transact((tx) => tx.insertInto('dav_property').values(all).execute());
  await client.put('/dav/plain.txt', 'plain');
  await client.put('/dav/coloured.txt', 'coloured');
  await client.proppatch('/dav/coloured.txt', SET_COLOR);
  for (const send of [client.copy.bind(client), client.move.bind(client)]) {
    assert.equal((await send('/dav/coloured.txt', `${root}c.txt`)).status, 507);
    assert.equal((await send('/dav/coloured.txt', `${root}b.txt`)).status, 507);
    assert.equal((await send('/dav/plain.txt', `${root}c.txt`)).status < 300, true);
  }
  await database.transact((tx) => tx.deleteFrom('dav_property').where('entry_id', '=', entryId).execute());
  assert.equal((await client.move('/dav/coloured.txt', `${root}b.txt`)).status, 204);
});

test('a lock in either drive needs its token, and locks of what is moved or replaced end', async () => {
  const [one, two] = [await insertDrive('LockOne'), await insertDrive('LockTwo')];
  const [source, target] = [`${one.root}dir/a.txt`, `${two.root}dir/a.txt`];
  for (const { root } of [one, two]) await client.expect(201, 'MKCOL', `${root}dir`);
  await client.put(source, 'a');
  const parent = await client.locked(`${two.root}dir/`);
  const refused = await client.copy(source, target);
  assert.equal(refused.status, 423);
  assert.ok(hasCondition(refused, 'lock-token-submitted'));
  assert.deepEqual(hrefsIn(refused), [`${two.root}dir/`]);
  const atParent = `<${two.root}dir/> ${parent.if}`;
  assert.equal((await client.copy(source, target, { if: atParent })).status, 201);
  assert.equal((await bobsClient.copy(source, target, { if: atParent })).status, 423, "another's token");
  await client.expect(204, 'UNLOCK', `${two.root}dir/`, { headers: { 'lock-token': parent.token } });

  const lock = await client.locked(source);
  assert.equal((await client.copy(source, target)).status, 204, 'the source of a COPY may be locked');
  const [locked, other] = [await client.move(source, target), await client.locked(target)];
  assert.equal(locked.status, 423);
  assert.deepEqual(hrefsIn(locked), [source]);
  assert.deepEqual(hrefsIn(await client.move(source, target)).toSorted(), [source, target]);
  const both = { if: `<${source}> ${lock.if} <${target}> ${other.if}` };
  assert.equal((await bobsClient.move(source, target, both)).status, 423);
  assert.equal((await client.move(source, target, { if: `<${source}> ${lock.if}` })).status, 423);
  assert.equal((await client.move(source, target, both)).status, 204);
  const locksLeft = await holdall.app.database.db
    .selectFrom('dav_lock')
    .select('token')
    .where('drive_id', 'in', [one.id, two.id])
    .execute();
  assert.deepEqual(
    locksLeft.map(({ token }) => `<${token}>`),
    [other.token],
    'the lock of what was moved has ended',
  );

  const below = `<${target}> ${other.if}`;
  await client.expect(201, 'MKCOL', '/dav/replacement');
  assert.equal((await client.move('/dav/replacement', `${two.root}dir`)).status, 423, 'a lock below it');
  assert.equal((await client.move('/dav/replacement', `${two.root}dir`, { if: below })).status, 204);
  const [discovery] = await client.propfind(`${two.root}dir/`, '0', named('lockdiscovery'));
  assert.ok(discovery !== undefined);
  assert.equal(textOfProperty(discovery, 'lockdiscovery'), '');
});

test('nothing is transferred once the member has lost either drive, although the request has begun', async (t) => {
  for (const [side, role] of [
    ['from', undefined],
    ['from', 'VIEWER'],
    ['to', undefined],
    ['to', 'VIEWER'],
  ] as const) {
    const [from, to] = [await insertDrive(`From-${side}-${role}`), await insertDrive(`To-${side}-${role}`)];
    await bobsClient.put(`${from.root}a.txt`, 'a');
    const { drives } = holdall.app;
    const { withTwoDriveLocks } = drives;
    const reduceFirst: typeof withTwoDriveLocks = async (...args) => {
      await changeRole(holdall, (side === 'from' ? from : to).id, bob, role);
      return await Reflect.apply(withTwoDriveLocks, drives, args);
    };
    t.mock.method(drives, 'withTwoDriveLocks', reduceFirst, { times: 1 });
    const { status } = await bobsClient.move(`${from.root}a.txt`, `${to.root}a.txt`);
    assert.equal(status, role === undefined ? 404 : 403, `${side} ${role}`);
    assert.deepEqual(await client.names(from.root), ['a.txt']);
    assert.deepEqual(await client.names(to.root), []);
  }
});

test('moves in opposite directions at the same time all succeed', async () => {
  const [one, two] = [await insertDrive('Left'), await insertDrive('Right')];
  for (const { root } of [one, two]) {
    for (let index = 0; index < 4; index += 1) await client.put(`${root}${index}.txt`, `${index}`);
  }
  const statuses = await race([alice, bob], 8, async (person, index) => {
    const by = person === alice ? client : bobsClient;
    const [from, to] = index % 4 < 2 ? [one, two] : [two, one];
    const number = Math.floor(index / 4) * 2 + (index % 2);
    return (await by.move(`${from.root}${number}.txt`, `${to.root}moved ${number}.txt`)).status;
  });
  assert.deepEqual(statuses, Array(8).fill(201));
  for (const { root } of [one, two]) assert.equal((await client.names(root)).length, 4);
});

test('after all copies and moves between drives the books balance', () => checkBooks(holdall));
