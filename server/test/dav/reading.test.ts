// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { childElements } from '../../src/dav/xml/element.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { onQueryOfRequest } from '../support/database/request-queries.ts';
import {
  type DavClient,
  hasCondition,
  named,
  readMultistatus,
  textOfProperty,
} from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const statements: string[] = [];
const holdall = await startHoldall({ onQuery: onQueryOfRequest((sql) => statements.push(sql)) });
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
  await alice.upload('/docs/Übung & <1>.txt', 'hello', 'text/plain');
  await alice.upload('/docs/😀 100%.bin', 'more');
  await alice.mkdir('/docs/sub');
});

test('OPTIONS names the classes and methods, at the root of the server even without a login', async () => {
  const everybody = client.with({ authorization: '' });
  for (const response of [
    await client.expect(200, 'OPTIONS', '/dav/'),
    await client.expect(200, 'OPTIONS', '/dav/docs/nothing'),
    await everybody.expect(200, 'OPTIONS', '/'),
  ]) {
    assert.equal(response.headers['ms-author-via'], 'DAV');
    const allowed = (response.headers.allow ?? '').split(', ');
    for (const method of ['PUT', 'MKCOL', 'COPY', 'MOVE', 'PROPFIND', 'PROPPATCH', 'LOCK', 'UNLOCK']) {
      assert.ok(allowed.includes(method), method);
    }
  }
  const moved = await everybody.expect(301, 'PROPFIND', '/');
  assert.equal(moved.headers.location, '/dav/');
});

test('GET and HEAD send files like downloads', async () => {
  const address = '/dav/docs/%C3%9Cbung%20%26%20%3C1%3E.txt';
  const [file] = (await alice.list('/docs')).items.filter(({ filename }) => filename.startsWith('Übung'));
  const download = await alice.fetch('GET', `/api/files/download/${file?.id}`);
  const response = await client.expect(200, 'GET', address);
  assert.equal(response.body, 'hello');
  for (const name of ['etag', 'last-modified', 'content-type', 'accept-ranges']) {
    assert.equal(response.headers[name], download.headers.get(name));
  }
  const head = await client.expect(200, 'HEAD', address);
  assert.deepEqual([head.body, head.headers['content-length']], ['', '5']);
  assert.equal((await client.expect(206, 'GET', address, { headers: { range: 'bytes=1-2' } })).body, 'el');
  await client.expect(416, 'GET', address, { headers: { range: 'bytes=9-' } });
  await client.expect(304, 'GET', address, { headers: { 'if-none-match': response.headers.etag } });
  await client.expect(404, 'GET', '/dav/docs/nothing');
  await client.expect(404, 'GET', `${address}/below-a-file`);
});

test('GET of a directory sends a page about mounting, not a listing', async () => {
  const page = await client.expect(200, 'GET', '/dav/docs/');
  assert.match(page.headers['content-type'] ?? '', /^text\/html/);
  assert.match(page.body, /app\s+password/);
  assert.doesNotMatch(page.body, /bung/);
  await client.expect(200, 'HEAD', '/dav/');
  const { host } = new URL(holdall.url);
  assert.ok(page.body.includes(`<code>http://${host}/dav/docs/</code>`), page.body);
  await client.expect(400, 'GET', '/dav/', { headers: { host: '[' } });
});

test('the page about mounting shows the public address in the form of each system', async () => {
  const beside = await startHoldall({ env: { HOLDALL_PUBLIC_URL: 'https://drive.example.org:8443' } });
  const person = await beside.register('carol');
  await person.mkdir('/my docs');
  const page = await (await asDavClient(person)).get('/dav/my%20docs');
  for (const address of [
    'https://drive.example.org:8443/dav/my%20docs/',
    'davs://drive.example.org:8443/dav/my%20docs/',
    'webdavs://drive.example.org:8443/dav/my%20docs/',
    '\\\\drive.example.org@SSL@8443\\DavWWWRoot\\dav\\my docs',
  ]) {
    assert.ok(page.includes(`<code>${address}</code>`), page);
  }
});

test('PROPFIND with noroot, sent by Microsoft web folders, returns only the members', async () => {
  const hrefs = async (depth: string, address = '/dav/docs/') => {
    const { body } = await client.expect(207, 'PROPFIND', address, { headers: { depth } });
    return readMultistatus(body).map(({ href }) => href);
  };
  const [root, ...members] = await hrefs('1');
  assert.equal(root, '/dav/docs/');
  assert.deepEqual(await hrefs('1,noroot'), members);
  assert.deepEqual(await hrefs('1, noroot'), members);
  assert.deepEqual(await hrefs('0,noroot'), ['/dav/docs/']);
  assert.deepEqual(await hrefs('1,noroot', members.at(-1)), members.slice(-1), 'a file');
  await client.expect(403, 'PROPFIND', '/dav/docs/', { headers: { depth: 'infinity,noroot' } });
  await client.expect(400, 'PROPFIND', '/dav/docs/', { headers: { depth: '1,other' } });
});

test('PROPFIND returns the live properties of a file, with the entity tag of its download', async () => {
  const [file, ...others] = await client.propfind('/dav/docs/%C3%9Cbung%20&%20%3C1%3E.txt', '0');
  assert.ok(file !== undefined && others.length === 0);
  assert.equal(file.href, '/dav/docs/%C3%9Cbung%20%26%20%3C1%3E.txt');
  assert.deepEqual([...file.properties.keys()], [200]);
  assert.equal(textOfProperty(file, 'displayname'), 'Übung & <1>.txt');
  assert.equal(textOfProperty(file, 'getcontentlength'), '5');
  assert.match(textOfProperty(file, 'getcontenttype'), /^text\/plain/);
  assert.match(textOfProperty(file, 'creationdate'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(textOfProperty(file, 'getlastmodified'), /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  const { headers } = await client.expect(200, 'HEAD', file.href);
  assert.equal(textOfProperty(file, 'getetag'), headers.etag);
  assert.match(headers.etag ?? '', /^"/);
  assert.equal(file.properties.get(200)?.has('quota-used-bytes DAV:'), false);
  assert.equal(file.properties.get(200)?.has('checksums http://owncloud.org/ns'), false);
});

test('PROPFIND with depth 1 lists the members with valid addresses', async () => {
  const [self, ...members] = await client.propfind('/dav/docs', '1');
  assert.equal(self?.href, '/dav/docs/');
  assert.equal(members.length, 3);
  for (const member of members) {
    const type = member.properties.get(200)?.get('resourcetype DAV:');
    assert.ok(type !== undefined);
    assert.equal(childElements(type).length === 1, member.href.endsWith('/'));
    assert.equal((await client.propfind(member.href, '0'))[0]?.href, member.href);
  }
  const names = ['sub', 'Übung & <1>.txt', '😀 100%.bin'];
  assert.deepEqual([...(await client.names('/dav/docs/'))].sort(), [...names].sort());
});

test('properties requested by name, including quota and checksums, are found or 404', async () => {
  const body = named('quota-available-bytes', 'quota-used-bytes', 'getetag', '<oc:checksums/>', '<a:none/>');
  const [file, root] = await Promise.all(
    ['/dav/docs/%F0%9F%98%80%20100%25.bin', '/dav/'].map(
      async (href) => (await client.propfind(href, '0', body))[0],
    ),
  );
  assert.ok(file !== undefined && root !== undefined);
  assert.equal(textOfProperty(root, 'quota-used-bytes'), String(await alice.usedBytes()));
  const { storageQuotaBytes } = await alice.ask<{ storageQuotaBytes: number }>('GET', '/api/user/profile');
  const available = Number(textOfProperty(root, 'quota-available-bytes'));
  assert.equal(available, storageQuotaBytes - (await alice.usedBytes()));
  assert.deepEqual(
    [...(root.properties.get(404)?.keys() ?? [])],
    ['getetag DAV:', 'checksums http://owncloud.org/ns', 'none urn:a'],
  );
  const checksums = file.properties.get(200)?.get('checksums http://owncloud.org/ns');
  assert.ok(checksums !== undefined);
  const digest = createHash('sha256').update('more').digest('hex');
  assert.deepEqual(
    childElements(checksums).map(({ children }) => children.join('')),
    [`SHA256:${digest}`],
  );
});

test('propname returns names without values, and include adds properties to allprop', async () => {
  const propname = '<propfind xmlns="DAV:"><propname/></propfind>';
  const [file] = await client.propfind('/dav/docs/%F0%9F%98%80%20100%25.bin', '0', propname);
  const found = [...(file?.properties.get(200)?.values() ?? [])];
  assert.ok(found.length >= 9);
  assert.ok(found.every(({ children }) => children.length === 0));
  const include = '<propfind xmlns="DAV:"><allprop/><include><quota-used-bytes/></include></propfind>';
  const [root] = await client.propfind('/dav/', '0', include);
  assert.ok(root !== undefined);
  assert.equal(textOfProperty(root, 'quota-used-bytes'), String(await alice.usedBytes()));
  assert.equal(root.properties.get(200)?.has('displayname DAV:'), true);
});

test('PROPFIND of infinite depth is rejected for directories, also without a Depth header', async () => {
  for (const headers of [{}, { depth: 'infinity' }]) {
    const refused = await client.expect(403, 'PROPFIND', '/dav/docs/', { headers });
    assert.ok(hasCondition(refused, 'propfind-finite-depth'));
    await client.expect(207, 'PROPFIND', '/dav/docs/%F0%9F%98%80%20100%25.bin', { headers });
  }
  await client.expect(400, 'PROPFIND', '/dav/docs/', { headers: { depth: '2' } });
  await client.expect(404, 'PROPFIND', '/dav/nothing', { headers: { depth: '0' } });
});

test('the number of statements of a PROPFIND does not depend on the number of entries', inFull, async () => {
  const many = await holdall.register('many');
  const manyClient = await asDavClient(many);
  const count = async (address: string) => {
    const before = statements.length;
    const found = await manyClient.propfind(address, '1');
    return { statements: statements.length - before, entries: found.length };
  };
  const upload = (name: string) => many.upload(`/wide/${name}`, 'x');
  await upload('first');
  await manyClient.proppatch('/dav/wide/first', '<D:set><D:prop><a:a>1</a:a></D:prop></D:set>');
  await manyClient.locked('/dav/wide/first');
  const few = await count('/dav/wide/');
  for (let at = 0; at < 90; at += 1) await upload(`name ${at}`);
  await manyClient.copy('/dav/wide/', '/dav/wide2/');
  const more = await count('/dav/wide/');
  assert.deepEqual([few.entries, more.entries], [2, 92]);
  assert.equal(more.statements, few.statements);
});
