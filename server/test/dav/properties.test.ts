// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import {
  type DavClient,
  type DavResponse,
  named,
  readMultistatus,
  textOfProperty,
} from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const holdall = await startHoldall();
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
});

/** Returns the statuses in the answer, each with the names of its properties. */
function statusesOf(response: DavResponse): Record<number, readonly string[]> {
  assert.equal(response.status, 207);
  const [described] = readMultistatus(response.body);
  const entries = [...(described?.properties ?? [])];
  return Object.fromEntries(entries.map(([status, found]) => [status, [...found.keys()]]));
}

const set = (...elements: readonly string[]) => `<D:set><D:prop>${elements.join('')}</D:prop></D:set>`;
const remove = (...elements: readonly string[]) =>
  `<D:remove><D:prop>${elements.join('')}</D:prop></D:remove>`;

test('a property keeps its namespaces, attributes, language and mixed content', async () => {
  await alice.upload('/mixed.txt', 'a');
  const value =
    '<a:p xml:lang="de" b:c="1 &quot;&amp;&#10;" xmlns:b="urn:b" d="2">text <e xmlns="urn:e"><f xmlns=""/></e><![CDATA[<&]]> 😀&#13;</a:p>';
  assert.deepEqual(statusesOf(await client.proppatch('/dav/mixed.txt', set(value))), { 200: ['p urn:a'] });
  const response = await client.expect(207, 'PROPFIND', '/dav/mixed.txt', {
    headers: { depth: '0' },
    body: named('<a:p/>'),
  });
  const [file] = readMultistatus(response.body);
  const property = file?.properties.get(200)?.get('p urn:a');
  assert.ok(property !== undefined);
  assert.deepEqual(
    property.attributes.map(({ name, value: text }) => `${name.namespace} ${name.local}=${text}`).sort(),
    [' d=2', 'http://www.w3.org/XML/1998/namespace lang=de', 'urn:b c=1 "&\n'],
  );
  const [, nested] = property.children;
  assert.ok(nested !== undefined && typeof nested !== 'string');
  assert.deepEqual(nested.name, { namespace: 'urn:e', local: 'e' });
  assert.equal(property.children.filter((child) => typeof child === 'string').join(''), 'text <& 😀\r');
});

test('the steps of a PROPPATCH are applied in order', async () => {
  await alice.upload('/order.txt', 'a');
  const steps =
    set('<a:x>1</a:x>') + remove('<a:x/>') + set('<a:y>2</a:y>') + set('<a:y>3</a:y>') + remove('<a:z/>');
  const statuses = statusesOf(await client.proppatch('/dav/order.txt', steps));
  assert.deepEqual(statuses, { 200: ['x urn:a', 'y urn:a', 'z urn:a'] });
  const [file] = await client.propfind('/dav/order.txt', '0', named('<a:x/>', '<a:y/>'));
  assert.ok(file !== undefined);
  assert.equal(textOfProperty(file, 'y', 'urn:a'), '3');
  assert.equal(file.properties.get(404)?.has('x urn:a'), true);
});

test('a PROPPATCH of a protected live property changes nothing', async () => {
  await alice.upload('/protected.txt', 'a');
  const names = [
    'getetag',
    'getcontentlength',
    'creationdate',
    'resourcetype',
    'displayname',
    'lockdiscovery',
  ];
  for (const name of [
    ...names.map((local) => `<D:${local}>x</D:${local}>`),
    '<oc:checksums xmlns:oc="http://owncloud.org/ns"/>',
  ]) {
    const response = await client.proppatch(
      '/dav/protected.txt',
      set('<a:before>1</a:before>', name, '<a:after>1</a:after>'),
    );
    assert.deepEqual(Object.keys(statusesOf(response)), ['403', '424']);
    assert.match(response.body, /<D:cannot-modify-protected-property\/>/);
    assert.deepEqual(statusesOf(response)[424], ['before urn:a', 'after urn:a']);
  }
  const [file] = await client.propfind('/dav/protected.txt', '0', named('<a:before/>', '<a:after/>'));
  assert.equal(file?.properties.get(404)?.size, 2);
});

test('an entry stores at most 64 KiB of properties', async () => {
  await alice.upload('/full.txt', 'a');
  const large = (name: string) => set(`<a:${name}>${'x'.repeat(30_000)}</a:${name}>`);
  for (const name of ['one', 'two']) {
    assert.deepEqual(Object.keys(statusesOf(await client.proppatch('/dav/full.txt', large(name)))), ['200']);
  }
  assert.deepEqual(statusesOf(await client.proppatch('/dav/full.txt', set('<a:small/>') + large('three'))), {
    424: ['small urn:a'],
    507: ['three urn:a'],
  });
  assert.deepEqual(statusesOf(await client.proppatch('/dav/full.txt', remove('<a:one/>') + large('three'))), {
    200: ['one urn:a', 'three urn:a'],
  });
});

test('properties are stored for directories and the root, but not for a missing resource', async () => {
  for (const address of ['/dav/', '/dav/Documents/']) {
    assert.deepEqual(Object.keys(statusesOf(await client.proppatch(address, set('<a:b>c</a:b>')))), ['200']);
    const [directory] = await client.propfind(address, '0', named('<a:b/>'));
    assert.ok(directory !== undefined);
    assert.equal(textOfProperty(directory, 'b', 'urn:a'), 'c');
  }
  assert.equal((await client.proppatch('/dav/none', set('<a:b/>'))).status, 404);
});

test('the properties of an entry are deleted when it is purged', async () => {
  const { id } = await alice.upload('/purged/a.txt', 'a');
  await client.proppatch('/dav/purged/a.txt', set('<a:b>c</a:b>'));
  const { db } = holdall.app.database;
  const count = async () =>
    (await db.selectFrom('dav_property').selectAll().where('entry_id', '=', id).execute()).length;
  await alice.recycle({ id });
  assert.equal(await count(), 1);
  await alice.restore({ id });
  const [file] = await client.propfind('/dav/purged/a.txt', '0', named('<a:b/>'));
  assert.ok(file !== undefined);
  assert.equal(textOfProperty(file, 'b', 'urn:a'), 'c');
  await alice.recycle({ id });
  await alice.purge({ id });
  assert.equal(await count(), 0);
});
