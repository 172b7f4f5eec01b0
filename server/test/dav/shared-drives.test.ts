// tier: default
// runs on: sqlite, postgres
// What is at `/drives/`, and where: the list of shared drives, their names, addresses and quotas.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { onQueryOfRequest } from '../support/database/request-queries.ts';
import { type DavClient, named, readMultistatus, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { addMember, removeMember } from '../support/drives/members.ts';
import {
  createDrive,
  createManagedDrive,
  DRIVES,
  deleteDrive,
  markDeleted,
  restoreDrive,
} from '../support/drives/shared-drives.ts';

const queries: string[] = [];
const holdall = await startHoldall({ onQuery: onQueryOfRequest((sql) => queries.push(sql)) });
let alice: Person;
let bob: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
  client = await asDavClient(alice);
});

const insert = (name: string, quotaBytes?: number) =>
  createManagedDrive(holdall, [[alice, 'EDITOR']], { name, ...(quotaBytes !== undefined && { quotaBytes }) });

/** The list of the person's drives, decoded. */
async function listDrives(person: DavClient): Promise<readonly string[]> {
  const [list, ...drives] = await person.propfind('/drives/', '1', named('resourcetype'));
  assert.equal(list?.href, '/drives/');
  return drives.map(({ href }) => decodeURIComponent(href.slice('/drives/'.length, -1)));
}

async function queriesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  queries.length = 0;
  await work();
  return [...queries];
}

test('the list has the shared drives of the caller by name, each with its quota', async () => {
  const ann = await asDavClient(await holdall.register('ann'));
  assert.deepEqual(await listDrives(ann), []);
  const members = [[ann.person, 'VIEWER']] as const;
  await createManagedDrive(holdall, members, { name: 'Work', quotaBytes: 2_000 });
  await createManagedDrive(holdall, members, { name: 'Family', quotaBytes: 1_000 });
  await createManagedDrive(holdall, [[bob, 'MANAGER']], { name: 'Not hers' });
  await markDeleted(holdall, await createManagedDrive(holdall, members, { name: 'Gone' }));
  assert.deepEqual(await listDrives(ann), ['Family', 'Work']);
  const body = named(
    'displayname',
    'resourcetype',
    'quota-available-bytes',
    'quota-used-bytes',
    'supportedlock',
  );
  for (const address of ['/drives', '/drives/']) {
    const [list, family, work] = await ann.propfind(address, '1', body);
    assert.ok(list !== undefined && family !== undefined && work !== undefined);
    assert.equal(textOfProperty(list, 'displayname'), 'Shared drives');
    assert.deepEqual(
      [...(list.properties.get(404)?.keys() ?? [])],
      ['quota-available-bytes DAV:', 'quota-used-bytes DAV:'],
    );
    assert.equal(textOfProperty(list, 'supportedlock'), '');
    assert.equal(textOfProperty(family, 'displayname'), 'Family');
    assert.equal(textOfProperty(family, 'quota-available-bytes'), '1000');
    assert.equal(textOfProperty(work, 'quota-available-bytes'), '2000');
    assert.equal(textOfProperty(work, 'quota-used-bytes'), '0');
  }
  const [work] = await ann.propfind('/drives/Work/', '0', body);
  assert.ok(work !== undefined);
  assert.equal(work.href, '/drives/Work/');
  assert.equal(textOfProperty(work, 'displayname'), 'Work');
  assert.equal(textOfProperty(work, 'quota-available-bytes'), '2000');
  assert.equal((await ann.propfind('/drives/', '0')).length, 1);
  const rootless = await ann.expect(207, 'PROPFIND', '/drives/', { headers: { depth: '1,noroot' } });
  assert.equal(readMultistatus(rootless.body).length, 2);
  await ann.expect(403, 'PROPFIND', '/drives/');
});

test('the younger one of two equal names has its id in the address, and so has a name that imitates that', async () => {
  const [first, second] = [await insert('Plans'), await insert('Plans')];
  const imitation = await insert(`Plans (${second})`);
  const harmless = await insert('Plans (1)');
  assert.deepEqual(
    (await listDrives(client)).filter((name) => name.startsWith('Plans')),
    ['Plans', `Plans (${second})`, 'Plans (1)', `Plans (${second}) (${imitation})`],
  );
  const addresses = new Map([
    [first, '/drives/Plans/'],
    [second, `/drives/Plans%20(${second})/`],
    [imitation, `/drives/Plans%20(${second})%20(${imitation})/`],
    [harmless, '/drives/Plans%20(1)/'],
  ]);
  for (const [id, address] of addresses)
    assert.equal((await client.put(`${address}${id}.txt`, `${id}`)).status, 201);
  for (const [id, address] of addresses) assert.deepEqual(await client.names(address), [`${id}.txt`]);
  assert.deepEqual(await client.names(`/drives/Plans%20(${first})/`), [`${first}.txt`], 'an id always works');
  await client.expect(404, 'PROPFIND', `/drives/Plan%20(${first})/`);
  await client.expect(404, 'PROPFIND', '/drives/plans/');
  await markDeleted(holdall, first);
  assert.deepEqual(await client.names('/drives/Plans/'), [`${second}.txt`]);
});

test('neither a rename nor a membership takes the name of a drive from one that had it before', async () => {
  const mallory = await holdall.register('mallory');
  const victim = await asDavClient(await holdall.register('victim'));
  // The attacker's drives are older than that of the victim.
  const [renamed, kept] = [await createDrive(mallory, 'Harmless'), await createDrive(mallory, 'Kin')];
  const added = { username: victim.person.username, role: 'EDITOR' };
  holdall.clock.advance(1_000);
  await addMember(mallory, renamed.id, added);
  holdall.clock.advance(1_000);
  const own = await createDrive(victim.person, 'Kin');
  holdall.clock.advance(1_000);
  const rename = (name: string) => mallory.ask('PATCH', `${DRIVES}/${renamed.id}`, { body: { name } });
  await rename('Kin');
  holdall.clock.advance(1_000);
  await addMember(mallory, kept.id, added);
  const check = async (first: { id: number }, ...others: readonly { id: number }[]) => {
    assert.deepEqual(await listDrives(victim), ['Kin', ...others.map(({ id }) => `Kin (${id})`)]);
    const file = `/drives/Kin/${randomUUID()}`;
    assert.equal((await victim.put(file, 'x')).status, 201);
    assert.equal(await victim.get(file.replace('Kin', `Kin%20(${first.id})`)), 'x');
  };
  await check(own, renamed, kept);
  // The same name again changes nothing.
  holdall.clock.advance(1_000);
  await rename('Kin');
  await check(own, renamed, kept);
  // A drive that was restored, or a member that was added again, comes last.
  await deleteDrive(mallory, { id: renamed.id, name: 'Kin' });
  await check(own, kept);
  holdall.clock.advance(1_000);
  await restoreDrive(mallory, renamed);
  await check(own, kept, renamed);
  await removeMember(mallory, kept.id, victim.person);
  holdall.clock.advance(1_000);
  await addMember(mallory, kept.id, added);
  await check(own, renamed, kept);
});

test('names and paths with special characters are encoded once, and lead to the same entry', async () => {
  const sent = 'ü & <100%> "#?" e\u0301';
  const name = sent.normalize('NFC');
  await insert(name);
  await insert('x'.repeat(255));
  const longer = await insert('x'.repeat(255));
  const root = `/drives/${encodeURIComponent(name)}/`;
  const listed = (await client.propfind('/drives/', '1')).map(({ href }) => href);
  assert.ok(listed.includes(root), `${listed}`);
  assert.ok(listed.includes(`/drives/${'x'.repeat(255)}%20(${longer})/`));
  await client.expect(201, 'MKCOL', `/drives/${'x'.repeat(255)}%20(${longer})/a`);
  const file = `${root}${encodeURIComponent('50% & <ü>.txt')}`;
  assert.equal((await client.put(file, 'a')).status, 201);
  assert.equal(await client.get(file), 'a');
  assert.deepEqual(
    (await client.propfind(root, '1')).map(({ href }) => href),
    [root, file],
  );
  assert.equal(await client.get(file.replace(root, `/drives/${encodeURIComponent(sent)}/`)), 'a');
  for (const address of ['/drives/%00/', '/drives/../', '/drives/%2e%2e/', '/drives/a%2fb/']) {
    await client.expect(400, 'PROPFIND', address);
  }
  await client.expect(400, 'PROPFIND', `/drives/${'x'.repeat(256)}/`);
});

test('the addresses in answers, and those that requests name, have the prefix of the drive', async () => {
  await insert('Prefix');
  const root = '/drives/Prefix/';
  await client.expect(201, 'MKCOL', `${root}dir`);
  assert.equal((await client.put(`${root}dir/a.txt`, 'a')).status, 201);
  const patched = await client.proppatch(`${root}dir/a.txt`, '<D:set><D:prop><a:b>c</a:b></D:prop></D:set>');
  assert.deepEqual(
    readMultistatus(patched.body).map(({ href }) => href),
    [`${root}dir/a.txt`],
  );
  const { host } = new URL(holdall.url);
  assert.equal((await client.copy(`${root}dir/a.txt`, `http://${host}${root}b.txt`)).status, 201);
  assert.equal((await client.move(`${root}b.txt`, `${root}dir/b.txt`)).status, 201);
  const [copy] = await client.propfind(`${root}dir/b.txt`, '0', named('<a:b/>', 'getetag'));
  assert.ok(copy !== undefined);
  assert.equal(textOfProperty(copy, 'b', 'urn:a'), 'c');
  const etag = textOfProperty(copy, 'getetag');
  const condition = (address: string) => ({ if: `<${address}> ([${etag}])` });
  assert.equal((await client.put(`${root}c.txt`, 'c', condition(`${root}dir/b.txt`))).status, 201);
  assert.equal((await client.put(`${root}c.txt`, 'c', condition('/dav/dir/b.txt'))).status, 412);
  assert.equal((await client.put('/dav/c.txt', 'c', condition(`${root}dir/b.txt`))).status, 201);
  assert.equal((await client.put('/dav/c.txt', 'c', condition('/drives/None/dir/b.txt'))).status, 412);
  const roots = ['/drives/a/', '/drives/b/', root, '/drives/c/'];
  const several = roots.map((other) => `<${other}x> (Not <urn:uuid:1>)`);
  assert.equal((await client.put(`${root}c.txt`, 'c', { if: several.join(' ') })).status, 204);
  assert.equal((await client.put('/dav/c.txt', 'c', { if: several.join(' ') })).status, 400, 'a fifth drive');
  const page = await client.get(`${root}dir/`);
  assert.ok(page.includes(`${holdall.url}${root}dir/`), page);
  assert.match(await client.get('/drives/'), /<title>Shared drives<\/title>/);
  assert.match(await client.get(root), /<title>Prefix<\/title>/);
  assert.deepEqual(await client.names('/dav/'), ['c.txt', 'Documents', 'Downloads', 'Pictures']);
});

test('the quota of the drive limits what is stored there, whoever stores it', async () => {
  await insert('Small', 10);
  assert.equal((await client.put('/drives/Small/a.txt', '12345678')).status, 201);
  assert.equal((await client.put('/drives/Small/b.txt', '123')).status, 507);
  assert.equal((await client.put('/dav/b.txt', '123')).status, 201);
  const [drive] = await client.propfind(
    '/drives/Small/',
    '0',
    named('quota-available-bytes', 'quota-used-bytes'),
  );
  assert.ok(drive !== undefined);
  assert.equal(textOfProperty(drive, 'quota-available-bytes'), '2');
  assert.equal(textOfProperty(drive, 'quota-used-bytes'), '8');
});

const CHANGES = ['PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'PROPPATCH', 'LOCK', 'UNLOCK'];

test('the list and the drives in it cannot be changed', async () => {
  await insert('Fixed');
  await client.put('/drives/Fixed/a.txt', 'a');
  const headers = { destination: '/drives/Fixed/b', 'lock-token': '<urn:uuid:1>' };
  for (const method of CHANGES) {
    for (const address of ['/drives', '/drives/', '/drives/Fixed', '/drives/Fixed/']) {
      await client.expect(403, method, address, { headers });
    }
    const status = ['PUT', 'MKCOL', 'LOCK'].includes(method) ? 403 : 404;
    await client.expect(status, method, '/drives/New/', { headers });
  }
  for (const destination of ['/drives/', '/drives/New', '/drives/Fixed/']) {
    assert.equal((await client.copy('/drives/Fixed/a.txt', destination)).status, 403);
    assert.equal((await client.move('/dav/Documents/', destination)).status, 403);
  }
  for (const [address, allow] of [
    ['/drives/', 'OPTIONS, GET, HEAD, PROPFIND'],
    ['/drives/Fixed/', `OPTIONS, GET, HEAD, PROPFIND, ${CHANGES.join(', ')}`],
  ] as const) {
    assert.equal((await client.expect(200, 'OPTIONS', address)).headers.allow, allow);
    assert.equal((await client.expect(405, 'POST', address)).headers.allow, allow);
  }
});

test('finding the drive takes one query, and the list one', async () => {
  await insert('Counted');
  await client.names('/drives/Counted/');
  const shared = await queriesOf(() => client.names('/drives/Counted/'));
  const personal = await queriesOf(() => client.names('/dav/Documents/'));
  assert.equal(shared.length, personal.length + 1);
  const list = await queriesOf(() => client.propfind('/drives/', '1'));
  assert.equal(list.filter((sql) => sql.includes('drive_member')).length, 1);
  const ofCaller = await queriesOf(() => client.expect(200, 'OPTIONS', '/drives/'));
  assert.equal(list.length, ofCaller.length + 1);
});

test('what was stored in shared drives is on the books', async () => {
  await checkBooks(holdall);
});
