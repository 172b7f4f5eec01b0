// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, race } from '../support/checks/race.ts';
import { type DavClient, named, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const holdall = await startHoldall();
const second = await startHoldall({ beside: holdall });
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
});

test('PUT creates a file with 201 and replaces its content with 204', async () => {
  const created = await client.put('/dav/Documents/%C3%BC%201.txt', 'one', { 'content-type': 'text/html' });
  assert.equal(created.status, 201);
  assert.equal(await client.get('/dav/Documents/%C3%BC%201.txt'), 'one');
  const [record] = (await alice.list('/Documents')).items;
  assert.deepEqual([record?.filename, record?.size, record?.contentType], ['ü 1.txt', 3, 'text/html']);
  const replaced = await client.put('/dav/Documents/%C3%BC%201.txt', 'second');
  assert.equal(replaced.status, 204);
  assert.notEqual(replaced.headers.etag, created.headers.etag);
  assert.equal(
    (await client.expect(200, 'HEAD', '/dav/Documents/%C3%BC%201.txt')).headers.etag,
    replaced.headers.etag,
  );
  const [after] = (await alice.list('/Documents')).items;
  assert.deepEqual([after?.id, after?.size], [record?.id, 6]);
  assert.equal(await client.get('/dav/Documents/%C3%BC%201.txt'), 'second');
});

test('PUT keeps the old content as a version, and the locks and properties of the file', async () => {
  await client.put('/dav/versions.txt', 'first', { 'x-oc-mtime': '1000000000' });
  await client.proppatch('/dav/versions.txt', '<D:set><D:prop><a:b>c</a:b></D:prop></D:set>');
  const lock = await client.locked('/dav/versions.txt');
  assert.equal((await client.put('/dav/versions.txt', 'other', { if: lock.if })).status, 204);
  assert.equal((await client.put('/dav/versions.txt', 'third')).status, 423);
  const [file] = await client.propfind('/dav/versions.txt', '0', named('<a:b/>'));
  assert.ok(file !== undefined);
  assert.equal(textOfProperty(file, 'b', 'urn:a'), 'c');
  const [record] = (await alice.list('/')).items.filter(({ filename }) => filename === 'versions.txt');
  const versions = await alice.ask<readonly { modifiedAt: string; size: number }[]>(
    'GET',
    `/api/v2/files/${record?.id}/versions`,
  );
  assert.deepEqual(
    versions.map(({ modifiedAt, size }) => [modifiedAt, size]),
    [['2001-09-09T01:46:40.000Z', 5]],
  );
});

test('PUT stores a body without a length, and an empty one', async () => {
  const bytes = Buffer.alloc(300_000, 'chunked');
  const response = await client.send('PUT', '/dav/chunked.bin', { body: bytes, isChunked: true });
  assert.equal(response.status, 201);
  assert.equal(await client.get('/dav/chunked.bin'), bytes.toString());
  assert.equal((await client.send('PUT', '/dav/empty1.bin', { body: '', isChunked: true })).status, 201);
  assert.equal((await client.put('/dav/empty2.bin', '')).status, 201);
  assert.equal(await client.get('/dav/empty1.bin'), '');
});

test('PUT is 409 without a parent, 405 on a directory, 400 with Content-Range', async () => {
  const before = await alice.state();
  for (const [address, status] of [
    ['/dav/none/a.txt', 409],
    ['/dav/Documents/%C3%BC%201.txt/a.txt', 409],
    ['/dav/Documents', 405],
    ['/dav/Documents/', 405],
    ['/dav/', 405],
    ['/dav/new/', 405],
  ] as const) {
    assert.equal((await client.put(address, 'x')).status, status, address);
  }
  assert.equal((await client.put('/dav/part.bin', 'x', { 'content-range': 'bytes 0-0/2' })).status, 400);
  assert.deepEqual(await alice.state(), before);
});

test('PUT respects If-Match, If-None-Match and If-Unmodified-Since', async () => {
  const { headers } = await client.put('/dav/conditional.txt', 'one');
  const [record] = (await alice.list('/')).items.filter(({ filename }) => filename === 'conditional.txt');
  const past = new Date(Date.parse(record?.updatedAt ?? '') - 10_000).toUTCString();
  const failing = [
    { 'if-none-match': '*' },
    { 'if-none-match': headers.etag },
    { 'if-match': '"other"' },
    { 'if-match': 'W/"other"' },
    { 'if-unmodified-since': past },
    { if: '(["other"])' },
  ];
  for (const condition of failing) {
    assert.equal(
      (await client.put('/dav/conditional.txt', 'two', condition)).status,
      412,
      JSON.stringify(condition),
    );
  }
  for (const condition of [{ 'if-match': '*' }, { 'if-match': '"x"' }, { if: '(["x"])' }]) {
    assert.equal(
      (await client.put('/dav/none.txt', 'two', condition)).status,
      412,
      JSON.stringify(condition),
    );
  }
  assert.equal(await client.get('/dav/conditional.txt'), 'one');
  assert.equal((await client.put('/dav/conditional.txt', 'two', { 'if-match': headers.etag })).status, 204);
  assert.equal((await client.put('/dav/conditional.txt', 'three', { 'if-match': headers.etag })).status, 412);
  assert.equal((await client.put('/dav/fresh.txt', 'x', { 'if-none-match': '*' })).status, 201);
  const match = { 'if-match': '"other"' };
  await client.expect(412, 'DELETE', '/dav/conditional.txt', { headers: match });
  assert.equal((await client.move('/dav/conditional.txt', '/dav/x', match)).status, 412);
});

test('OC-Checksum is compared with the content', async () => {
  const digest = (algorithm: string) => createHash(algorithm).update('content').digest('hex');
  const right = [
    `SHA1:${digest('sha1')}`,
    `MD5:${digest('md5').toUpperCase()}`,
    `SHA256:${digest('sha256')}`,
    `SHA1:${digest('sha1')} MD5:${digest('md5')} ADLER32:0`,
    'ADLER32:0',
  ];
  for (const checksum of right) {
    const { status } = await client.put('/dav/sum.txt', 'content', { 'oc-checksum': checksum });
    assert.ok(status === 201 || status === 204, checksum);
  }
  const before = await alice.state();
  for (const checksum of [
    `SHA1:${'0'.repeat(40)}`,
    `SHA256:${'0'.repeat(64)}`,
    `MD5:${'0'.repeat(32)}`,
    'SHA1:12',
    'MD5:',
  ])
    assert.equal(
      (await client.put('/dav/sum.txt', 'content', { 'oc-checksum': checksum })).status,
      400,
      checksum,
    );
  assert.deepEqual(await alice.state(), before);
});

test('X-OC-Mtime sets the modification time', async () => {
  const response = await client.put('/dav/timed.txt', 'x', { 'x-oc-mtime': '1234567890' });
  assert.equal(response.headers['x-oc-mtime'], 'accepted');
  const lastModified = async (address = '/dav/timed.txt') => {
    const [file] = await client.propfind(address, '0', named('getlastmodified'));
    assert.ok(file !== undefined);
    return textOfProperty(file, 'getlastmodified');
  };
  assert.equal(await lastModified(), 'Fri, 13 Feb 2009 23:31:30 GMT');
  await client.put('/dav/timed.txt', 'y', { 'x-oc-mtime': '1234567891.5' });
  assert.equal(await lastModified(), 'Fri, 13 Feb 2009 23:31:31 GMT');
  await client.copy('/dav/timed.txt', '/dav/timed%20copy.txt');
  assert.equal(await lastModified('/dav/timed%20copy.txt'), 'Fri, 13 Feb 2009 23:31:31 GMT');
  const steps =
    '<D:set><D:prop><D:getlastmodified>Sat, 01 Jan 2000 00:00:00 GMT</D:getlastmodified></D:prop></D:set>';
  assert.equal((await client.proppatch('/dav/timed.txt', steps)).status, 207);
  assert.equal(await lastModified(), 'Sat, 01 Jan 2000 00:00:00 GMT');
  await client.put('/dav/timed.txt', 'z');
  assert.notEqual(await lastModified(), 'Sat, 01 Jan 2000 00:00:00 GMT');
});

test('X-OC-Mtime may be before 1970 or have an exponent; a bad one is ignored', async () => {
  const timeOf = async (address: string) => {
    const [file] = await client.propfind(address, '0', named('getlastmodified'));
    return file && Date.parse(textOfProperty(file, 'getlastmodified'));
  };
  for (const [sent, expected] of [
    ['-31494360', -31_494_360_000],
    ['1e9', 1_000_000_000_000],
  ] as const) {
    const response = await client.put('/dav/old.jpg', 'x', { 'x-oc-mtime': sent });
    assert.equal(response.headers['x-oc-mtime'], 'accepted');
    assert.equal(await timeOf('/dav/old.jpg'), expected, sent);
  }
  for (const sent of ['yesterday', '253402300800', '']) {
    const response = await client.put('/dav/new.jpg', sent, { 'x-oc-mtime': sent });
    assert.ok(response.status === 201 || response.status === 204, sent);
    assert.equal(response.headers['x-oc-mtime'], undefined);
    assert.ok(((await timeOf('/dav/new.jpg')) ?? 0) > 1_600_000_000_000, sent);
  }
});

test('PROPPATCH sets times before 1970, as Windows and rclone send them', async () => {
  await client.put('/dav/patched.txt', 'x');
  for (const [property, expected] of [
    ['<D:getlastmodified>Fri, 01 Jan 1965 00:00:00 GMT</D:getlastmodified>', '1965-01-01T00:00:00.000Z'],
    [
      '<w:Win32LastModifiedTime xmlns:w="urn:schemas-microsoft-com:">Sat, 01 Jan 1966 00:00:00 GMT</w:Win32LastModifiedTime>',
      '1966-01-01T00:00:00.000Z',
    ],
    [
      '<w:Win32LastModifiedTime xmlns:w="urn:schemas-microsoft-com:">Mon, 01 Jan 1601 00:00:00 GMT</w:Win32LastModifiedTime>',
      '1966-01-01T00:00:00.000Z',
    ],
    ['<D:lastmodified>-31494360</D:lastmodified>', '1969-01-01T11:34:00.000Z'],
  ] as const) {
    const answer = await client.proppatch('/dav/patched.txt', `<D:set><D:prop>${property}</D:prop></D:set>`);
    assert.match(answer.body, /HTTP\/1.1 200/);
    const [record] = (await alice.list('/')).items.filter(({ filename }) => filename === 'patched.txt');
    assert.equal(record?.modifiedAt, expected, property);
  }
});

test('PUT without space (507) or of a large file (413) leaves nothing behind, announced or chunked', async () => {
  const small = await holdall.register('small');
  const { id } = await small.ask<{ id: number }>('GET', '/api/user/profile');
  const admin = await holdall.admin();
  const limit = (name: string, body: unknown) =>
    admin.ask('PATCH', `/api/admin/users/${id}/${name}`, { body });
  const smallClient = await asDavClient(small);
  const before = await small.state();
  const body = Buffer.alloc(3_000_000);
  const expectRefused = async (status: number) => {
    for (const isChunked of [false, true]) {
      const response = await smallClient.send('PUT', '/dav/large.bin', { body, isChunked });
      assert.equal(response.status, status, isChunked ? 'chunked' : 'announced');
    }
    assert.deepEqual(await small.state(), before);
  };
  await limit('storage-quota', { storageQuotaBytes: 2_000_000 });
  await expectRefused(507);
  await limit('storage-quota', { storageQuotaBytes: 20_000_000 });
  await limit('max-upload-size', { maxUploadSizeBytes: 2_000_000 });
  await expectRefused(413);
  await limit('max-upload-size', { maxUploadSizeBytes: 20_000_000 });
  await limit('max-entries', { maxEntries: 3 });
  await expectRefused(507);
});

test('PUT leaves nothing behind if its body is cut off', async (t) => {
  const storing = t.mock.method(holdall.app.drive.content, 'store');
  const before = await alice.state();
  const { hostname, port } = new URL(holdall.url);
  for (const [sent, framing] of [
    [0, 'content-length: 1000'],
    [1, 'content-length: 1000'],
    [999, 'content-length: 1000'],
    [500, 'transfer-encoding: chunked'],
  ] as const) {
    const socket = connect(Number(port), hostname);
    const payload = framing.startsWith('t') ? `3e8\r\n${'x'.repeat(sent)}` : 'x'.repeat(sent);
    const count = storing.mock.callCount();
    socket.write(
      `PUT /dav/cut.bin HTTP/1.1\r\nhost: x\r\nauthorization: ${client.authorization}\r\n${framing}\r\n\r\n${payload}`,
    );
    await waitUntil('the service stores the body', () => storing.mock.callCount() > count);
    socket.destroy();
    await assert.rejects(storing.mock.calls[count]?.result ?? assert.fail());
  }
  assert.deepEqual(await alice.state(), before);
});

test('of several PUTs that race for a free name, one is 201, and each content was current once', async () => {
  const instances = atEveryInstance(alice, [holdall.url, second.url]);
  const answers = await race(instances, 8, (person, index) =>
    client.at(person).put('/dav/raced.txt', `content ${index}`),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(204)]);
  assert.match(await client.get('/dav/raced.txt'), /^content \d$/);
  const exclusive = await race(instances, 8, (person) =>
    client.at(person).put('/dav/raced%20once.txt', 'x', { 'if-none-match': '*' }),
  );
  assert.deepEqual(exclusive.map(({ status }) => status).sort(), [201, ...Array(7).fill(412)]);
  const { headers } = await client.expect(200, 'HEAD', '/dav/raced.txt');
  const matching = await race(instances, 8, (person) =>
    client.at(person).put('/dav/raced.txt', 'new', { 'if-match': headers.etag }),
  );
  assert.deepEqual(matching.map(({ status }) => status).sort(), [204, ...Array(7).fill(412)]);
});

test('after all uploads the books balance', () => checkBooks(holdall));
