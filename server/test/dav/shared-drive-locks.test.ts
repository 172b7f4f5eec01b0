// tier: default
// runs on: sqlite, postgres
// Locks in a shared drive belong to the drive. Only the account that created one can use it (RFC 4918, section
// 6.4).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { childElements } from '../../src/dav/xml/element.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { atEveryInstance, race } from '../support/checks/race.ts';
import { type DavClient, hasCondition, hrefsIn, named } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { changeRole } from '../support/drives/members.ts';
import { createManagedDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const second = await startHoldall({ beside: holdall });
let ann: DavClient;
let bob: DavClient;
let viewer: DavClient;

before(async () => {
  ann = await asDavClient(await holdall.register('ann'));
  bob = await asDavClient(await holdall.register('bob'));
  viewer = await asDavClient(await holdall.register('viewer'));
});

async function insertDrive(name: string): Promise<{ id: number; file: string }> {
  const id = await createManagedDrive(
    holdall,
    [
      [ann.person, 'EDITOR'],
      [bob.person, 'EDITOR'],
      [viewer.person, 'VIEWER'],
    ],
    { name },
  );
  const file = `/drives/${name}/a.txt`;
  assert.equal((await ann.put(file, 'a')).status, 201);
  return { id, file };
}

test('another member cannot use a lock, even with its token', async () => {
  const { file } = await insertDrive('Locked');
  const lock = await ann.locked(file);
  const headers = { if: lock.if };
  for (const attempt of [
    () => bob.put(file, 'b'),
    () => bob.put(file, 'b', headers),
    () => bob.send('DELETE', file, { headers }),
    () => bob.move(file, '/drives/Locked/b.txt', headers),
    () => bob.proppatch(file, '<D:set><D:prop><a:b>c</a:b></D:prop></D:set>', headers),
    () => bob.send('LOCK', file, { headers }),
  ]) {
    const refused = await attempt();
    assert.equal(refused.status, 423);
    assert.ok(hasCondition(refused, 'lock-token-submitted'));
    assert.deepEqual(hrefsIn(refused), [file]);
  }
  const conflict = await bob.lock(file);
  assert.equal(conflict.status, 423);
  assert.ok(hasCondition(conflict, 'no-conflicting-lock'));
  await bob.expect(403, 'UNLOCK', file, { headers: { 'lock-token': lock.token } });
  await ann.expect(200, 'LOCK', file, { headers });
  assert.equal((await ann.put(file, 'b', headers)).status, 204);
  await ann.expect(204, 'UNLOCK', file, { headers: { 'lock-token': lock.token } });
  assert.equal((await bob.put(file, 'c')).status, 204);
});

test('a manager ends the locks of others, and still cannot use them', async () => {
  const { id, file } = await insertDrive('Managed');
  const lock = await ann.locked(file);
  const unlock = { headers: { 'lock-token': lock.token } };
  await bob.expect(403, 'UNLOCK', file, unlock);
  await changeRole(holdall, id, bob.person, 'MANAGER');
  assert.equal((await bob.put(file, 'b', { if: lock.if })).status, 423);
  await bob.expect(204, 'UNLOCK', file, unlock);
  assert.equal((await bob.put(file, 'b')).status, 204);
  assert.equal((await ann.put(file, 'a', { if: lock.if })).status, 412);
});

test('one member has at most 50 locks in a shared drive, and the others have the rest', async () => {
  const { file } = await insertDrive('Full');
  const lock = async (client: DavClient, name: string) =>
    (await client.lock(file.replace('a.txt', name))).status;
  for (let count = 0; count < 50; count += 1) assert.equal(await lock(ann, `ann-${count}`), 201);
  assert.equal(await lock(ann, 'one-more'), 507);
  assert.equal(await lock(bob, 'bob'), 201);
});

test('every member sees the locks, with addresses in the shared drive', async () => {
  const { file } = await insertDrive('Seen');
  const response = await ann.lock(file);
  assert.ok(response.body.includes(`<D:lockroot><D:href>${file}</D:href></D:lockroot>`), response.body);
  for (const client of [ann, bob, viewer]) {
    for (const [address, depth] of [
      [file, '0'],
      ['/drives/Seen/', '1'],
    ] as const) {
      const found = (await client.propfind(address, depth, named('lockdiscovery'))).at(-1);
      const discovery = found?.properties.get(200)?.get('lockdiscovery DAV:');
      assert.ok(discovery !== undefined);
      assert.equal(childElements(discovery).length, 1);
    }
  }
});

test('two members can share a lock, and each needs the own token', async () => {
  const { file } = await insertDrive('Together');
  const [first, other] = [
    await ann.locked(file, { scope: 'shared' }),
    await bob.locked(file, { scope: 'shared' }),
  ];
  assert.equal((await ann.put(file, '1', { if: first.if })).status, 204);
  assert.equal((await bob.put(file, '2', { if: other.if })).status, 204);
  assert.equal((await bob.put(file, '3', { if: first.if })).status, 423);
});

test('the locks of a member end when the member is removed or becomes a VIEWER', async () => {
  const { id, file } = await insertDrive('Left');
  for (const role of ['VIEWER', undefined] as const) {
    const lock = await ann.locked(file);
    assert.equal((await bob.put(file, 'b')).status, 423);
    await changeRole(holdall, id, ann.person, role);
    const taken = await bob.locked(file);
    await changeRole(holdall, id, ann.person, 'EDITOR');
    assert.equal((await ann.put(file, 'a', { if: lock.if })).status, 412, 'the lock does not come back');
    assert.equal((await ann.put(file, 'a')).status, 423);
    assert.equal((await bob.put(file, 'c', { if: taken.if })).status, 204);
    await bob.expect(204, 'UNLOCK', file, { headers: { 'lock-token': taken.token } });
  }
});

test('of racing exclusive locks of two members at two instances, one is granted', async () => {
  const { file } = await insertDrive('Raced');
  const instances = atEveryInstance(ann.person, [holdall.url, second.url]);
  const statuses = await race(instances, 8, async (person, index) => {
    const client = (index % 4 < 2 ? ann : bob).at(person);
    return (await client.lock(file)).status;
  });
  assert.deepEqual(statuses.toSorted(), [200, ...Array(7).fill(423)]);
});
