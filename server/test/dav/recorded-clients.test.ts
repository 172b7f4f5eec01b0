// tier: default
// runs on: sqlite
//
// Recorded requests of clients that cannot run here, in their order and with their headers and bodies.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { type DavClient, named, readMultistatus, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

const holdall = await startHoldall();
let alice: Person;
let client: DavClient;

before(async () => {
  alice = await holdall.register('alice');
  client = await asDavClient(alice);
});

test('Windows explores the server, mounts the drive, and saves a file with its times', async () => {
  const windows = client.with({ 'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045', translate: 'f' });
  await windows.with({ authorization: '' }).expect(200, 'OPTIONS', '/');
  await windows.with({ authorization: '' }).expect(401, 'PROPFIND', '/dav', { headers: { depth: '0' } });
  const depth = { depth: '0' };
  await windows.expect(207, 'PROPFIND', '/dav', { headers: depth });
  await windows.expect(207, 'PROPFIND', '/dav/Documents', { headers: depth });
  await windows.expect(404, 'PROPFIND', '/dav/Documents/New%20file.docx', { headers: depth });
  // Notepad and Office first create the file, then lock it.
  const created = await windows.expect(201, 'PUT', '/dav/Documents/New%20file.docx', { body: '' });
  assert.equal(created.body, '');
  const lockInfo =
    '<?xml version="1.0" encoding="utf-8" ?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>' +
    '<D:locktype><D:write/></D:locktype><D:owner><D:href>PC\\alice</D:href></D:owner></D:lockinfo>';
  const locked = await windows.expect(200, 'LOCK', '/dav/Documents/New%20file.docx', {
    headers: { timeout: 'Second-3600', 'content-type': 'text/xml; charset="utf-8"' },
    body: lockInfo,
  });
  const token = `${locked.headers['lock-token']}`;
  await windows.expect(200, 'HEAD', '/dav/Documents/New%20file.docx');
  const headers = { if: `(${token})` };
  await windows.expect(204, 'PUT', '/dav/Documents/New%20file.docx', { headers, body: 'document' });
  const times =
    '<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:">' +
    '<D:set><D:prop><Z:Win32CreationTime>Fri, 03 Jan 2020 10:00:00 GMT</Z:Win32CreationTime>' +
    '<Z:Win32LastAccessTime>Fri, 03 Jan 2020 10:00:01 GMT</Z:Win32LastAccessTime>' +
    '<Z:Win32LastModifiedTime>Fri, 03 Jan 2020 10:00:02 GMT</Z:Win32LastModifiedTime>' +
    '<Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>';
  const patched = await windows.expect(207, 'PROPPATCH', '/dav/Documents/New%20file.docx', {
    headers,
    body: times,
  });
  assert.deepEqual([...(readMultistatus(patched.body)[0]?.properties.keys() ?? [])], [200]);
  await windows.expect(204, 'UNLOCK', '/dav/Documents/New%20file.docx', { headers: { 'lock-token': token } });
  const [, file] = await windows.propfind('/dav/Documents', '1');
  assert.ok(file !== undefined);
  assert.equal(textOfProperty(file, 'Win32FileAttributes', 'urn:schemas-microsoft-com:'), '00000020');
  assert.equal(
    textOfProperty(file, 'Win32LastModifiedTime', 'urn:schemas-microsoft-com:'),
    'Fri, 03 Jan 2020 10:00:02 GMT',
  );
  assert.equal(textOfProperty(file, 'getlastmodified'), 'Fri, 03 Jan 2020 10:00:02 GMT');
  assert.equal(await windows.get('/dav/Documents/New%20file.docx'), 'document');
});

test('Office replaces a file with a temporary one', async () => {
  await alice.upload('/Documents/book.xlsx', 'old');
  await client.expect(201, 'PUT', '/dav/Documents/~$book.xlsx', { body: 'owner' });
  await client.expect(201, 'PUT', '/dav/Documents/A1B2C3.tmp', { body: 'new' });
  const move = (from: string, to: string) =>
    client.move(`/dav/Documents/${from}`, `${holdall.url}/dav/Documents/${to}`, { overwrite: 'F' });
  assert.equal((await move('book.xlsx', 'D4E5F6.tmp')).status, 201);
  assert.equal((await move('A1B2C3.tmp', 'book.xlsx')).status, 201);
  await client.expect(204, 'DELETE', '/dav/Documents/D4E5F6.tmp');
  await client.expect(204, 'DELETE', '/dav/Documents/~$book.xlsx');
  assert.equal(await client.get('/dav/Documents/book.xlsx'), 'new');
});

test('Finder asks for the quota, and saves a file with a second file for its attributes', async () => {
  const finder = client.with({ 'user-agent': 'WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (x86_64)' });
  await finder.expect(200, 'OPTIONS', '/dav/');
  const [root] = await finder.propfind(
    '/dav/',
    '0',
    named('quota-available-bytes', 'quota-used-bytes', 'quota', 'quotaused'),
  );
  assert.ok(root !== undefined);
  assert.ok(Number(textOfProperty(root, 'quota-available-bytes')) > 0);
  assert.deepEqual([...(root.properties.get(404)?.keys() ?? [])], ['quota DAV:', 'quotaused DAV:']);
  await finder.expect(404, 'PROPFIND', '/dav/._.', { headers: { depth: '0' } });
  await finder.expect(404, 'PROPFIND', '/dav/Pictures/.DS_Store', { headers: { depth: '0' } });
  for (const [name, content] of [
    ['photo.jpg', 'jpeg'],
    ['._photo.jpg', 'attributes'],
  ] as const) {
    const address = `/dav/Pictures/${name}`;
    await finder.expect(404, 'PROPFIND', address, { headers: { depth: '0' } });
    await finder.expect(201, 'PUT', address, { body: '' });
    const lock = await finder.locked(address, { headers: { timeout: 'Second-600', depth: '0' } });
    await finder.expect(204, 'PUT', address, {
      headers: { if: `(${lock.token})`, 'x-expected-entity-length': `${content.length}` },
      body: content,
      isChunked: true,
    });
    await finder.expect(204, 'UNLOCK', address, { headers: { 'lock-token': lock.token } });
  }
  assert.deepEqual(await alice.names('/Pictures'), ['._photo.jpg', 'photo.jpg']);
  assert.equal(await finder.get('/dav/Pictures/photo.jpg'), 'jpeg');
});
