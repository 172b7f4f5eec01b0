// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { type DavClient, hasCondition } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const holdall = await startHoldall();
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
  await alice.upload('/victim/a.txt', 'a');
});

const METHODS = ['GET', 'PUT', 'MKCOL', 'DELETE', 'PROPFIND', 'PROPPATCH', 'COPY', 'MOVE', 'LOCK', 'UNLOCK'];

const HOSTILE_NAMES = [
  ...[
    '..',
    '.',
    '%2e%2e',
    '%2E.',
    '..%2fx',
    'a%2fb',
    'a%2Fb',
    'a%5cb',
    'a\\b',
    'a%00b',
    '%00',
    'a%0ab',
    '%7f',
  ],
  ...['%20', 'a#b', 'x'.repeat(256), '%c2%85'],
];

/** The router rejects these before it finds a route. */
const UNDECODABLE_NAMES = ['%ff', '%c0%ae%c0%ae', '%ed%a0%80', '%', '%zz'];

test('names that the drive refuses are 400 with every method, however they are encoded', async () => {
  const before = await alice.state();
  for (const name of HOSTILE_NAMES) {
    for (const method of METHODS) {
      const headers = { destination: '/dav/x', depth: '0', 'lock-token': '<urn:uuid:1>' };
      const response = await client.send(method, `/dav/victim/${name}`, { headers });
      assert.equal(response.status, 400, `${method} ${name}`);
    }
  }
  for (const name of UNDECODABLE_NAMES) {
    for (const [method, root] of METHODS.flatMap(
      (each) =>
        [
          [each, '/dav/victim/'],
          [each, '/drives/'],
        ] as const,
    )) {
      const headers = { 'content-type': 'text/plain' };
      const response = await alice.fetch(method, root + name, { headers });
      assert.deepEqual([response.status, await response.text()], [400, ''], `${method} ${root}${name}`);
    }
  }
  assert.deepEqual(await alice.state(), before);
});

const propfind = (body: string) => client.send('PROPFIND', '/dav/', { headers: { depth: '0' }, body });

const LAUGHS = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join(
  '',
);

test('entities and document types are refused with 403 no-external-entities', async () => {
  for (const declaration of [
    `<!DOCTYPE propfind [<!ENTITY l0 "lol">${LAUGHS}]>`,
    '<!DOCTYPE propfind [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE propfind [<!ENTITY % p SYSTEM "http://127.0.0.1:1/"> %p;]>',
    '<!DOCTYPE propfind SYSTEM "http://127.0.0.1:1/x.dtd">',
  ]) {
    const refused = await propfind(
      `<?xml version="1.0"?>${declaration}<propfind xmlns="DAV:">&l9;</propfind>`,
    );
    assert.equal(refused.status, 403);
    assert.ok(hasCondition(refused, 'no-external-entities'));
  }
});

test('malformed XML is 400, too much of it 413', async () => {
  const prop = (content: string) => `<propfind xmlns="DAV:"><prop>${content}</prop></propfind>`;
  const cases: readonly [string, number][] = [
    ['<propfind', 400],
    ['<propfind xmlns="DAV:"><prop></propfind>', 400],
    ['<propfind xmlns="DAV:"/>', 400],
    ['<propfind xmlns="DAV:"><prop/><allprop/></propfind>', 400],
    ['<other xmlns="DAV:"/>', 400],
    ['not XML', 400],
    [`${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`, 400],
    [prop('<a/>'.repeat(300)), 400],
    [prop('<a/>'.repeat(2_000)), 413],
    [prop(`<!--${'x'.repeat(70_000)}-->`), 413],
  ];
  for (const [body, status] of cases) {
    assert.equal((await propfind(body)).status, status, body.slice(0, 60));
  }
  const chunked = await client.send('PROPFIND', '/dav/', { body: 'x'.repeat(70_000), isChunked: true });
  assert.equal(chunked.status, 413);
  for (const method of ['PROPPATCH', 'LOCK']) {
    assert.equal((await client.send(method, '/dav/victim/', { body: '<a/>' })).status, 400);
    assert.equal((await client.send(method, '/dav/victim/', { body: 'x'.repeat(70_000) })).status, 413);
  }
  assert.equal((await client.send('PROPPATCH', '/dav/victim/')).status, 400);
});

test('a malformed If header is 400, and one that does not match 412', async () => {
  const before = await alice.state();
  const cases: readonly [string, number][] = [
    ['(', 400],
    ['<urn:uuid:1>', 400],
    ['(<urn:uuid:1>', 400],
    [`(${'<urn:uuid:1> '.repeat(200)})`, 400],
    [`(<${'x'.repeat(9_000)}>)`, 400],
    ['(<urn:uuid:1>)', 412],
    ['(["x"])', 412],
    ['<http://other.example/dav/victim/a.txt> (<urn:uuid:1>)', 412],
    ['</dav/%2e%2e/x> (<urn:uuid:1>)', 400],
  ];
  for (const [header, status] of cases) {
    const response = await client.put('/dav/victim/a.txt', 'b', { if: header });
    assert.equal(response.status, status, header.slice(0, 60));
  }
  assert.deepEqual(await alice.state(), before);
});

test('unknown methods are answered without an envelope', async () => {
  for (const method of ['POST', 'PATCH']) await client.expect(405, method, '/dav/victim/');
  const response = await alice.fetch('REPORT', '/dav/victim/');
  assert.deepEqual([response.status, await response.text()], [404, '']);
});

test('HOLDALL_WEBDAV=off removes the address of WebDAV', async () => {
  const without = await startHoldall({ env: { HOLDALL_WEBDAV: 'off' } });
  const bob = await without.register('bob');
  for (const method of ['GET', 'PROPFIND', 'PUT', 'OPTIONS']) {
    assert.equal(
      (await bob.fetch(method, '/dav/', method === 'PUT' ? { body: 'x' } : {})).status,
      404,
      method,
    );
  }
  // The web client looks at this header to see whether WebDAV is on.
  assert.equal((await bob.fetch('OPTIONS', '/')).headers.get('dav'), null);
});

test('hostile requests leave nothing behind', () => checkBooks(holdall));
