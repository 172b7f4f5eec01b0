// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { MINUTE, SECOND } from '../../src/base/clock.ts';
import { childElements } from '../../src/dav/xml/element.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { type DavClient, hasCondition, hrefsIn, named } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '900d' } });
const second = await startHoldall({ beside: holdall });
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
});

/** For tests that do not depend on the engine: on PostgreSQL they run only with `--full`. */
const fullOnPostgres = isPostgres ? inFull : {};

const countLocks = async () =>
  (await holdall.app.database.db.selectFrom('dav_lock').selectAll().execute()).length;

test('a locked file can be changed only with the lock token', fullOnPostgres, async () => {
  await alice.upload('/locked/a.txt', 'a');
  const address = '/dav/locked/a.txt';
  const lock = await client.locked(address);
  const attempts = [
    () => client.put(address, 'b'),
    () => client.send('DELETE', address),
    () => client.move(address, '/dav/locked/b.txt'),
    () => client.proppatch(address, '<D:set><D:prop><a:b>c</a:b></D:prop></D:set>'),
  ];
  for (const attempt of attempts) {
    const refused = await attempt();
    assert.equal(refused.status, 423);
    assert.ok(hasCondition(refused, 'lock-token-submitted'));
    assert.deepEqual(hrefsIn(refused), [address]);
  }
  await alice.upload('/locked/other.txt', 'x');
  assert.equal((await client.copy('/dav/locked/other.txt', address)).status, 423);
  assert.equal((await client.copy(address, '/dav/locked/copy.txt')).status, 201, 'reading is allowed');
  assert.equal(await client.get(address), 'a');
  assert.equal((await client.put(address, 'b', { if: lock.if })).status, 204);
  assert.equal((await client.put(address, 'c', { if: '(<urn:uuid:other>)' })).status, 412);
  assert.equal((await client.put(address, 'c', { if: '(<urn:uuid:x>) (Not <DAV:no-lock>)' })).status, 423);
  await client.expect(204, 'UNLOCK', address, { headers: { 'lock-token': lock.token } });
  assert.equal((await client.put(address, 'c')).status, 204);
});

test(
  'a deep lock covers everything below a directory, and a lock of depth 0 only its direct members',
  fullOnPostgres,
  async () => {
    await alice.upload('/deep/sub/a.txt', 'a');
    const deep = await client.locked('/dav/deep/');
    assert.equal((await client.put('/dav/deep/sub/a.txt', 'b')).status, 423);
    assert.equal((await client.put('/dav/deep/sub/new.txt', 'b')).status, 423);
    await client.expect(423, 'MKCOL', '/dav/deep/sub/dir');
    assert.equal((await client.put('/dav/deep/sub/new.txt', 'b', { if: deep.if })).status, 201);
    assert.equal(
      (await client.put('/dav/deep/sub/new.txt', 'b', { if: `</dav/deep/> ${deep.if}` })).status,
      204,
    );
    await client.expect(204, 'UNLOCK', '/dav/deep/sub/a.txt', { headers: { 'lock-token': deep.token } });

    const shallow = await client.locked('/dav/deep/', { headers: { depth: '0' } });
    assert.equal((await client.put('/dav/deep/sub/a.txt', 'c')).status, 204);
    assert.equal((await client.put('/dav/deep/new.txt', 'c')).status, 423, 'a new member');
    await client.expect(423, 'DELETE', '/dav/deep/sub/');
    await client.expect(423, 'DELETE', '/dav/deep/');
    await client.expect(204, 'UNLOCK', '/dav/deep/', { headers: { 'lock-token': shallow.token } });
  },
);

test(
  'an exclusive lock conflicts with any lock, and a shared lock only with exclusive ones',
  fullOnPostgres,
  async () => {
    await alice.upload('/conflicts/sub/a.txt', 'a');
    const address = '/dav/conflicts/sub/a.txt';
    const shared = await client.locked(address, { scope: 'shared' });
    const other = await client.locked(address, { scope: 'shared' });
    const refused = await client.lock(address);
    assert.equal(refused.status, 423);
    assert.ok(hasCondition(refused, 'no-conflicting-lock'));
    assert.deepEqual(hrefsIn(refused), [address]);
    assert.equal((await client.put(address, 'b')).status, 423);
    assert.equal(
      (await client.put(address, 'b', { if: shared.if })).status,
      204,
      'one of the tokens suffices',
    );
    assert.equal((await client.put(address, 'b', { if: other.if })).status, 204);
    // RFC 4918, section 9.10.9: the locks below are reported with their addresses.
    const below = await client.lock('/dav/conflicts/');
    assert.equal(below.status, 207);
    assert.match(below.body, /<D:href>\/dav\/conflicts\/sub\/a\.txt<\/D:href><D:status>HTTP\/1\.1 423 /);
    assert.match(below.body, /<D:href>\/dav\/conflicts\/<\/D:href><D:status>HTTP\/1\.1 424 /);
    const flat = await client.locked('/dav/conflicts/', { headers: { depth: '0' } });
    for (const [at, { token }] of [
      [address, shared],
      [address, other],
      ['/dav/conflicts/', flat],
    ] as const) {
      await client.expect(204, 'UNLOCK', at, { headers: { 'lock-token': token } });
    }
  },
);

test('LOCK of an address without a resource creates an empty file', fullOnPostgres, async () => {
  const lock = await client.lock('/dav/created%20by%20lock.txt');
  assert.equal(lock.status, 201);
  assert.equal(await client.get('/dav/created%20by%20lock.txt'), '');
  const token = `${lock.headers['lock-token']}`;
  assert.equal((await client.put('/dav/created%20by%20lock.txt', 'x')).status, 423);
  assert.equal((await client.put('/dav/created%20by%20lock.txt', 'x', { if: `(${token})` })).status, 204);
  assert.equal((await client.lock('/dav/none/x.txt')).status, 409);
  await client.expect(204, 'UNLOCK', '/dav/created%20by%20lock.txt', { headers: { 'lock-token': token } });
});

test('a lock is described in the answer to LOCK and in lockdiscovery', fullOnPostgres, async () => {
  await alice.upload('/described.txt', 'a');
  const response = await client.lock('/dav/described.txt', {
    owner: '<D:href>http://me.example/?a=1&amp;b</D:href>',
    headers: { timeout: 'Second-30' },
  });
  const [file] = await client.propfind('/dav/described.txt', '0', named('lockdiscovery', 'supportedlock'));
  const discovery = file?.properties.get(200)?.get('lockdiscovery DAV:');
  assert.ok(discovery !== undefined);
  assert.equal(childElements(discovery).length, 1);
  for (const part of [
    '<D:lockscope><D:exclusive/></D:lockscope>',
    '<D:depth>infinity</D:depth>',
    '<D:owner><D:href>http://me.example/?a=1&amp;b</D:href></D:owner>',
    '<D:timeout>Second-30</D:timeout>',
    `<D:locktoken><D:href>${`${response.headers['lock-token']}`.slice(1, -1)}</D:href></D:locktoken>`,
    '<D:lockroot><D:href>/dav/described.txt</D:href></D:lockroot>',
  ]) {
    assert.ok(response.body.includes(part), `${part} in ${response.body}`);
  }
  await client.expect(204, 'DELETE', '/dav/described.txt', {
    headers: { if: `(${response.headers['lock-token']})` },
  });
});

test(
  'a lock lasts for its timeout, from 1 s to 1 h, and is extended by a refresh',
  fullOnPostgres,
  async () => {
    await alice.upload('/timeouts.txt', 'a');
    const secondsOf = (body: string) => Number(/Second-(\d+)/.exec(body)?.[1]);
    for (const [timeout, seconds] of [
      [undefined, 600],
      ['Second-5', 5],
      ['Second-0', 1],
      ['Infinite', 3_600],
      ['Infinite, Second-4100000000', 3_600],
      ['Second-4100000000', 3_600],
      ['Extend, Second-7', 7],
      ['nonsense', 600],
    ] as const) {
      const response = await client.lock('/dav/timeouts.txt', {
        headers: timeout === undefined ? {} : { timeout },
      });
      assert.equal(secondsOf(response.body), seconds, timeout);
      const token = `${response.headers['lock-token']}`;
      await client.expect(204, 'UNLOCK', '/dav/timeouts.txt', { headers: { 'lock-token': token } });
    }
    const lock = await client.locked('/dav/timeouts.txt', { headers: { timeout: 'Second-10' } });
    holdall.clock.advance(8 * SECOND);
    const headers = { if: lock.if, timeout: 'Second-20' };
    assert.equal(secondsOf((await client.expect(200, 'LOCK', '/dav/timeouts.txt', { headers })).body), 20);
    holdall.clock.advance(11 * SECOND);
    assert.equal((await client.put('/dav/timeouts.txt', 'b')).status, 423);
    holdall.clock.advance(10 * SECOND);
    await client.expect(412, 'LOCK', '/dav/timeouts.txt', { headers });
    assert.equal((await client.put('/dav/timeouts.txt', 'b')).status, 204);
    await client.expect(400, 'LOCK', '/dav/timeouts.txt');
    await client.expect(400, 'LOCK', '/dav/timeouts.txt', { headers: { depth: '1' } });
  },
);

test('UNLOCK needs a token of a lock that covers the resource', fullOnPostgres, async () => {
  await alice.upload('/unlock/a.txt', 'a');
  await alice.upload('/unlock/b.txt', 'b');
  const lock = await client.locked('/dav/unlock/a.txt');
  await client.expect(400, 'UNLOCK', '/dav/unlock/a.txt');
  await client.expect(400, 'UNLOCK', '/dav/unlock/a.txt', { headers: { 'lock-token': '<urn:uuid:1' } });
  for (const [address, token] of [
    ['/dav/unlock/b.txt', lock.token],
    ['/dav/unlock/a.txt', '<urn:uuid:00000000-0000-0000-0000-000000000000>'],
  ] as const) {
    const refused = await client.expect(409, 'UNLOCK', address, { headers: { 'lock-token': token } });
    assert.ok(hasCondition(refused, 'lock-token-matches-request-uri'));
  }
  await client.expect(204, 'UNLOCK', '/dav/unlock/a.txt', { headers: { 'lock-token': lock.token } });
});

test('a file loses its locks when it is moved or deleted', fullOnPostgres, async () => {
  const before = await countLocks();
  await alice.upload('/ended/dir/a.txt', 'a');
  await alice.upload('/ended/b.txt', 'b');
  await alice.upload('/ended/c.txt', 'c');
  const [a, b, c] = await Promise.all(
    ['dir/a.txt', 'b.txt', 'c.txt'].map((name) => client.locked(`/dav/ended/${name}`)),
  );
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  await client.expect(423, 'DELETE', '/dav/ended/dir/');
  await client.expect(423, 'DELETE', '/dav/ended/');
  assert.equal((await client.move('/dav/ended/b.txt', '/dav/ended/c.txt')).status, 423);
  assert.equal((await client.move('/dav/ended/b.txt', '/dav/ended/c.txt', { if: b.if })).status, 423);
  const both = { if: `${b.if} </dav/ended/c.txt> ${c.if}` };
  assert.equal((await client.move('/dav/ended/b.txt', '/dav/ended/c.txt', both)).status, 400, 'mixed lists');
  const tagged = { if: `</dav/ended/b.txt> ${b.if} </dav/ended/c.txt> ${c.if}` };
  assert.equal((await client.move('/dav/ended/b.txt', '/dav/ended/c.txt', tagged)).status, 204);
  assert.equal((await client.put('/dav/ended/c.txt', 'locked')).status, 423);
  await client.expect(204, 'UNLOCK', '/dav/ended/c.txt', { headers: { 'lock-token': c.token } });
  await client.expect(204, 'DELETE', '/dav/ended/dir/', {
    headers: { if: `</dav/ended/dir/a.txt> ${a.if}` },
  });
  assert.equal(await countLocks(), before);
});

test('an entry that is moved into a locked directory is covered by its lock', fullOnPostgres, async () => {
  await alice.mkdir('/target');
  await alice.upload('/moved-in.txt', 'a');
  const lock = await client.locked('/dav/target/');
  assert.equal((await client.move('/dav/moved-in.txt', '/dav/target/x.txt')).status, 423);
  const headers = { if: `</dav/target/> ${lock.if}` };
  assert.equal((await client.move('/dav/moved-in.txt', '/dav/target/x.txt', headers)).status, 201);
  assert.equal((await client.put('/dav/target/x.txt', 'b')).status, 423);
  await client.expect(204, 'UNLOCK', '/dav/target/', { headers: { 'lock-token': lock.token } });
});

test('of many exclusive locks of one file at two instances, one is granted', async () => {
  const { id } = await alice.upload('/raced.txt', 'a');
  const instances = atEveryInstance(alice, [holdall.url, second.url]);
  const statuses = await race(
    instances,
    12,
    async (person) => (await client.at(person).lock('/dav/raced.txt')).status,
  );
  assert.deepEqual(statuses.sort(), [200, ...Array(11).fill(423)]);
  const { db } = holdall.app.database;
  const rows = await db.selectFrom('dav_lock').selectAll().where('entry_id', '=', id).execute();
  assert.equal(rows.length, 1);
});

test('of many exclusive locks of one new address, one creates the file', async () => {
  const instances = atEveryInstance(alice, [holdall.url, second.url]);
  const statuses = await race(
    instances,
    8,
    async (person) => (await client.at(person).lock('/dav/raced%20new.txt')).status,
  );
  assert.deepEqual(statuses.sort(), [201, ...Array(7).fill(423)]);
});

test('racing locks of a directory and of a file in it do not both succeed', async () => {
  for (let round = 0; round < 5; round += 1) {
    await alice.upload(`/rounds/${round}/a.txt`, 'a');
    const statuses = await race(
      atEveryInstance(alice, [holdall.url, second.url]),
      2,
      async (person, index) => {
        const address = index === 0 ? `/dav/rounds/${round}/` : `/dav/rounds/${round}/a.txt`;
        return (await client.at(person).lock(address)).status;
      },
    );
    assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
  }
});

test('the number of locks of an entry and of a drive is limited', fullOnPostgres, async () => {
  const many = await holdall.register('many');
  const manyClient = await asDavClient(many);
  await many.upload('/one.txt', 'x');
  const statuses = await race([many], 60, async () => {
    return (await manyClient.lock('/dav/one.txt', { scope: 'shared' })).status;
  });
  assert.deepEqual(statuses.filter((status) => status !== 507).length, 16);
  await Promise.all(Array.from({ length: 6 }, (_, index) => many.upload(`/${index}.txt`, 'x')));
  const more = await race([many], 120, async (_, index) => {
    return (await manyClient.lock(`/dav/${index % 6}.txt`, { scope: 'shared' })).status;
  });
  assert.equal(more.filter((status) => status === 200).length, 84);
  assert.ok(more.every((status) => status === 200 || status === 507));
});

test('the maintenance deletes expired locks, in batches', fullOnPostgres, async (t) => {
  const { database, dav } = holdall.app;
  const { id: _id, ...lock } = await database.db
    .selectFrom('dav_lock')
    .selectAll()
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const copies = Array.from({ length: 1_000 }, (_, index) => ({ ...lock, token: `copy ${index}` }));
  await database.transact((tx) => tx.insertInto('dav_lock').values(copies).execute());
  holdall.clock.advance(61 * MINUTE);
  // A set, because transactions of other work count the same number again.
  const counts = new Set([await countLocks()]);
  const { transact } = database;
  t.mock.method(database, 'transact', async (...args: Parameters<typeof transact>) => {
    const result = await Reflect.apply(transact, database, args);
    counts.add(await countLocks());
    return result;
  });
  await dav.locks.deleteExpired(new AbortController().signal);
  const [before = 0, between = 0, after, ...more] = counts;
  assert.equal(before - between, 1_000);
  assert.equal(after, 0);
  assert.deepEqual(more, []);
});

test('locks do not restrict the API, and end when the entry is purged', fullOnPostgres, async () => {
  const { id } = await alice.upload('/api/a.txt', 'a');
  await client.locked('/dav/api/a.txt');
  await alice.rename({ id }, 'b.txt');
  await alice.recycle({ id });
  await alice.purge({ id });
  assert.equal(await countLocks(), 0);
  await checkBooks(holdall);
});
