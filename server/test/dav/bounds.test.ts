// tier: default
// runs on: sqlite
// Limits on what a client can store through WebDAV, and on the size of answers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { childElements, textOf } from '../../src/dav/xml/element.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { type DavClient, type Described, named, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { createLockedDirectory } from '../support/dav/locked-directory.ts';

const MIB = 1_024 ** 2;

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
});

const locksOf = (described: Described | undefined) => {
  const discovery = described?.properties.get(200)?.get('lockdiscovery DAV:');
  return discovery === undefined ? [] : childElements(discovery);
};
const set = (name: string, value: string) =>
  `<D:set><D:prop><a:${name}>${value}</a:${name}></D:prop></D:set>`;

test('the owner text of a lock may have 256 characters, in any elements', async () => {
  await alice.upload('/owner.txt', 'x');
  const longest = 'ü'.repeat(256);
  const options = { scope: 'shared' } as const;
  await client.locked('/dav/owner.txt', { ...options, owner: `<D:href>${longest}</D:href>` });
  const [file] = await client.propfind('/dav/owner.txt', '0', named('<D:lockdiscovery/>'));
  const owners = locksOf(file).flatMap((lock) =>
    childElements(lock).filter(({ name }) => name.local === 'owner'),
  );
  assert.deepEqual(
    owners.map((owner) => childElements(owner).map(textOf).join()),
    [longest],
  );
  for (const owner of [`${longest}x`, '<b/>'.repeat(600), `<b xmlns="urn:${'x'.repeat(600)}"/>`]) {
    assert.equal((await client.lock('/dav/owner.txt', { ...options, owner })).status, 400);
  }
});

test('the answer to PROPFIND does not repeat the locks of parents for every member', async () => {
  const { address, above, files } = await createLockedDirectory(client);
  const { body } = await client.expect(207, 'PROPFIND', address, { headers: { depth: '1' } });
  assert.ok(body.length < 8 * MIB, `${body.length} bytes`);
  const [itself, ...members] = await client.propfind(address, '1', named('<D:lockdiscovery/>'));
  assert.equal(locksOf(itself).length, 80);
  assert.equal(members.length, files.length);
  assert.ok(
    members.every((member) => locksOf(member).length === 1),
    'a member is shown as locked',
  );
  const [alone] = await client.propfind(files[0] ?? '', '0', named('<D:lockdiscovery/>'));
  assert.equal(locksOf(alone).length, 80);
  const refused = await client.expect(423, 'DELETE', above[0] ?? '');
  assert.ok(refused.body.length < MIB);
});

test('the property names in a PROPFIND may have 16 KiB', async () => {
  await alice.upload('/names.txt', 'x');
  const ask = async (namespace: string, count: number) => {
    const names = Array.from({ length: count }, (_, index) => `<n:p${index}/>`).join('');
    const body = `<D:propfind xmlns:D="DAV:" xmlns:n="${namespace}"><D:prop>${names}</D:prop></D:propfind>`;
    return (await client.send('PROPFIND', '/dav/names.txt', { headers: { depth: '0' }, body })).status;
  };
  assert.equal(await ask('urn:x', 200), 207);
  assert.equal(await ask('u'.repeat(500), 30), 207);
  assert.equal(await ask('u'.repeat(500), 40), 400);
  assert.equal(await ask('u'.repeat(513), 1), 400);
});

test('PROPFIND returns all properties of all members, however many bytes they have together', async () => {
  const value = 'v'.repeat(60_000);
  for (let index = 0; index < 12; index += 1) {
    await alice.upload(`/large/${index}.txt`, 'x');
    if (index % 3 === 0) continue;
    await client.proppatch(`/dav/large/${index}.txt`, set('p', `${value}${index}`));
  }
  const [, ...members] = await client.propfind('/dav/large/', '1', named('<a:p/>'));
  const seen = members.map(({ href, properties }) => {
    const property = properties.get(200)?.get('p urn:a');
    return [href.split('/').at(-1), property === undefined ? undefined : textOf(property).slice(60_000)];
  });
  assert.deepEqual(
    seen.toSorted(),
    Array.from({ length: 12 }, (_, index) => [
      `${index}.txt`,
      index % 3 === 0 ? undefined : `${index}`,
    ]).toSorted(),
  );
});

test('the length of a language is limited, because it is written with each property', async () => {
  await alice.upload('/language.txt', 'x');
  const patch = (language: string) =>
    client.send('PROPPATCH', '/dav/language.txt', {
      body: `<D:propertyupdate xmlns:D="DAV:" xml:lang="${language}"><D:set><D:prop><p/><q/></D:prop></D:set></D:propertyupdate>`,
    });
  assert.equal((await patch('zh-Hans-CN')).status, 207);
  assert.equal((await patch('&gt;'.repeat(65))).status, 400);
});

test('a property name may have the maximum length with any characters', async () => {
  await alice.upload('/long.txt', 'x');
  // Random characters, because an index might be able to compress a repetitive name.
  const characters = Array.from({ length: 480 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
  );
  const name = characters.join('');
  const body =
    `<D:propertyupdate xmlns:D="DAV:" xmlns:n="urn:${name}"><D:set><D:prop><n:${name}>x</n:${name}>` +
    '</D:prop></D:set></D:propertyupdate>';
  const patched = await client.expect(207, 'PROPPATCH', '/dav/long.txt', { body });
  assert.match(patched.body, /HTTP\/1\.1 200/);
  const [file] = await client.propfind('/dav/long.txt', '0');
  assert.ok(file?.properties.get(200)?.has(`${name} urn:${name}`));
});

test('the properties of a drive may have 16 MiB, with those of copies and of the recycle bin', async () => {
  const bob = await holdall.register('bob');
  const bobClient = await asDavClient(bob);
  for (let index = 0; index < 16; index += 1) {
    await bob.upload(`/p0/${index}.txt`, '');
    await bobClient.proppatch(`/dav/p0/${index}.txt`, set('p', 'v'.repeat(64_800)));
  }
  const statuses: number[] = [];
  for (let copy = 1; copy <= 18; copy += 1) {
    statuses.push((await bobClient.copy('/dav/p0/', `/dav/p${copy}/`)).status);
  }
  assert.deepEqual(statuses, [...Array(15).fill(201), 507, 507, 507]);
  assert.equal((await bob.list('/')).items.filter(({ filename }) => filename.startsWith('p')).length, 16);
  assert.equal((await bobClient.copy('/dav/p0/0.txt', '/dav/one.txt')).status, 201);
  const sizes = async () => (await bobClient.proppatch('/dav/one.txt', set('q', 'v'.repeat(200)))).body;
  assert.match(await sizes(), /HTTP\/1\.1 200/);
  await bob.upload('/other.txt', '');
  const full = await bobClient.proppatch('/dav/other.txt', set('p', 'v'.repeat(60_000)));
  assert.equal(full.status, 207);
  assert.match(full.body, /HTTP\/1\.1 507/);
  // A change that needs no more bytes still succeeds, and Windows gets no error.
  assert.match((await bobClient.proppatch('/dav/one.txt', set('q', 'w'.repeat(150)))).body, /HTTP\/1\.1 200/);
  const windows =
    '<w:Win32LastModifiedTime>Wed, 01 Jan 2020 00:00:00 GMT</w:Win32LastModifiedTime>' +
    `<w:Win32FileAttributes>${'0'.repeat(60_000)}</w:Win32FileAttributes>`;
  const steps = `<D:set><D:prop xmlns:w="urn:schemas-microsoft-com:">${windows}</D:prop></D:set>`;
  assert.match((await bobClient.proppatch('/dav/other.txt', steps)).body, /HTTP\/1\.1 200/);
  const [other] = await bobClient.propfind('/dav/other.txt', '0', named('<D:getlastmodified/>'));
  assert.ok(other);
  assert.equal(textOfProperty(other, 'getlastmodified', 'DAV:'), 'Wed, 01 Jan 2020 00:00:00 GMT');
  // Deleted properties free their bytes only when they are purged.
  await bobClient.expect(204, 'DELETE', '/dav/p1/');
  assert.equal((await bobClient.copy('/dav/p0/', '/dav/again/')).status, 507);
  const [binned] = (await bob.ask<{ items: { id: number }[] }>('GET', '/api/files/recycle-bin')).items;
  assert.ok(binned);
  await bob.purge(binned);
  assert.equal((await bobClient.copy('/dav/p0/', '/dav/again/')).status, 201);
  await checkBooks(holdall);
});
