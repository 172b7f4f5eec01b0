// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { CallOptions, Person } from '../../support/app/person.ts';

// Text that contains NUL or is not well-formed Unicode is rejected before it reaches a database: PostgreSQL
// rejects some of it, and both databases would store other text instead.

const holdall = await startHoldall();
const { anonymous } = holdall;
const alice = await holdall.register('alice');
const admin = await holdall.admin();
const file = await alice.upload('/Documents/file.txt', 'content');
const before = await alice.state();
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const BAD_TEXTS = ['a\u0000b', '\ud800', 'a\ud800b', '\udc00', '\ude00\ud83d'];

type Call = readonly [person: Person, method: string, path: string, body: (text: string) => unknown];

const BODIES: readonly Call[] = [
  [alice, 'POST', '/api/v2/shares', (text) => ({ fileId: file.id, shareName: text })],
  [alice, 'POST', '/api/v2/shares', (text) => ({ fileId: file.id, password: text })],
  [alice, 'POST', '/api/v2/folder-links', (text) => ({ directoryId: null, mode: 'VIEW', title: text })],
  [alice, 'POST', '/api/v2/folder-links', (text) => ({ directoryId: null, mode: 'VIEW', note: text })],
  [alice, 'PUT', '/api/user/profile', (text) => ({ email: `${text}@example.org` })],
  [alice, 'PUT', '/api/user/profile', (text) => ({ bio: text })],
  [alice, 'POST', '/api/files/mkdir', (text) => ({ path: `/${text}` })],
  [alice, 'POST', '/api/v2/tasks/archive', (text) => ({ fileId: file.id, path: '/', correlationId: text })],
  [alice, 'POST', '/api/v2/files/upload-sessions', (text) => ({ filename: text, size: 1 })],
  [alice, 'POST', '/api/user/avatar/upload/complete', (text) => ({ storageName: text })],
  [alice, 'POST', '/api/user/password', (text) => ({ currentPassword: text, newPassword: text })],
  [anonymous, 'POST', '/api/auth/login', (text) => ({ username: text, password: 'x' })],
  [anonymous, 'POST', '/api/auth/login', (text) => ({ username: 'alice', password: text })],
  [anonymous, 'POST', '/api/auth/refresh', (text) => ({ refreshToken: text })],
  [
    anonymous,
    'POST',
    '/api/transfer/sessions',
    (text) => ({ mode: 'ONLINE', files: [{ name: text, size: 1 }] }),
  ],
  [
    anonymous,
    'POST',
    '/api/transfer/sessions/00000000-0000-4000-8000-000000000000/signals?role=sender',
    (text) => ({ type: 'offer', payload: { deep: [{ [text]: 1 }] } }),
  ],
  [
    admin,
    'PATCH',
    '/api/admin/settings/registration/invite-code',
    (text) => ({ inviteCode: `long ${text}` }),
  ],
  [admin, 'PUT', '/api/admin/users/1/password', (text) => ({ newPassword: `long enough ${text}` })],
  // A member that the call does not know.
  [alice, 'PATCH', `/api/files/${file.id}/rename`, (text) => ({ filename: 'file.txt', other: text })],
];

describe('unstorable text in a JSON body is rejected', () => {
  for (const [person, method, path, toBody] of BODIES) {
    test(`${method} ${path} ${JSON.stringify(toBody('…'))}`, async () => {
      for (const text of BAD_TEXTS) await assertRejected(person, method, path, { body: toBody(text) });
    });
  }

  test('a body that is not UTF-8 is rejected, and nothing in it is replaced', async () => {
    for (const bytes of ['ff', 'c328', 'eda080', 'c080']) {
      const body = Buffer.concat([Buffer.from('{"path":"/a'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]);
      await assertRejected(alice, 'POST', '/api/files/mkdir', { body, headers: json });
    }
  });
});

describe('unstorable text in an address is rejected', () => {
  const QUERIES: readonly (readonly [Person, string, string])[] = [
    [anonymous, 'GET', '/api/app/android/download/a'],
    [anonymous, 'GET', '/api/v2/shares/a'],
    [anonymous, 'GET', '/api/v2/folder-links/a'],
    [anonymous, 'GET', '/api/v2/folder-links/a/download?path=/a&path=/'],
    [anonymous, 'GET', '/api/files/share-links/a'],
    [anonymous, 'GET', '/api/transfer/sessions/lookup?pickupCode='],
    [alice, 'GET', '/api/files/list?path=/a'],
    [alice, 'GET', '/api/v2/files/search?name='],
    [alice, 'GET', '/api/v2/files/search?q='],
    [alice, 'GET', '/api/v2/files/search?unknown='],
    [alice, 'GET', '/api/v2/files/events?clientId='],
    [alice, 'POST', '/api/user/avatar/upload?storageName='],
    [admin, 'GET', '/api/admin/users?query='],
    [admin, 'GET', '/api/admin/audits?targetId='],
    [admin, 'GET', '/api/admin/file-blobs?objectKey='],
  ];
  for (const [person, method, path] of QUERIES) {
    test(`${method} ${path}`, async () => {
      for (const escaped of ['%00', 'b%00c', '%ff', '%c3', '%ed%a0%80'])
        await assertRejected(person, method, `${path}${escaped}`);
    });
  }

  test('a percent sign that does not begin an escape stands for itself in a query', async () => {
    const directory = await alice.mkdir('/100%');
    for (const query of ['100%', '100%25']) {
      const found = await alice.ask<{ total: number }>('GET', `/api/v2/files/search?name=${query}`);
      assert.equal(found.total, 1, query);
    }
    await remove(directory);
  });
});

test('unstorable text in a URL-encoded form is rejected', async () => {
  for (const path of ['%00', '/a%00b', '/%ff', '/%ed%a0%80']) {
    await assertRejected(alice, 'POST', '/api/files/mkdir', { body: `path=${path}`, headers: form });
  }
  const body = Buffer.from('path=/\xff', 'latin1');
  await assertRejected(alice, 'POST', '/api/files/mkdir', { body, headers: form });
});

test('unstorable text in a multipart form is rejected', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  for (const [type, value] of [
    ['text/plain', Buffer.from('/a\0b')],
    ['text/plain; charset=utf-16le', Buffer.from('/\ud800', 'utf16le')],
  ] as const) {
    const head = `--B\r\nContent-Disposition: form-data; name="path"\r\nContent-Type: ${type}\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), value, Buffer.from('\r\n--B--\r\n')]);
    await assertRejected(alice, 'POST', '/api/files/mkdir', { body, headers });
  }
});

test('unstorable text in metadata that the service reads from a resumable upload is rejected', async () => {
  for (const bytes of ['a\0b', '\xff', '\xed\xa0\x80']) {
    const value = Buffer.from(bytes, 'latin1').toString('base64');
    for (const metadata of [
      `filename ${value}`,
      `filename YQ==,path ${value}`,
      `filename YQ==,filetype ${value}`,
    ]) {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata };
      await assertRejected(alice, 'POST', '/api/v2/files/tus', { headers });
    }
  }
});

test('a long client id is cut between characters, not within one', async () => {
  const clientId = `${'x'.repeat(127)}😀`;
  const response = await alice.fetch('GET', `/api/v2/files/events?${new URLSearchParams({ clientId })}`);
  assert.equal(response.status, 200);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  assert.match(Buffer.from(value ?? []).toString(), /"clientId":"x{127}"/);
  await reader?.cancel();
});

test('escaped characters that can be stored are accepted', async () => {
  const body = '{"path": "/\\ud83d\\ude00", "other": "\\\\u0000"}';
  const made = await alice.ask<EntryRecord>('POST', '/api/files/mkdir', { body, headers: json });
  assert.equal(made.filename, '😀');
  await remove(made);
});

test('a form may contain characters and percent signs that are not escaped', async () => {
  const made = await alice.ask<EntryRecord>('POST', '/api/files/mkdir', {
    body: 'path=/é 100%',
    headers: form,
  });
  assert.equal(made.filename, 'é 100%');
  await remove(made);
});

test('nothing was stored', async () => assert.deepEqual(await alice.state(), before));

async function remove(entry: EntryRecord): Promise<void> {
  await alice.recycle(entry);
  await alice.purge(entry);
}

async function assertRejected(person: Person, method: string, path: string, options: CallOptions = {}) {
  await person.refused(400, path.startsWith('/api/v2/') ? 2400 : 1000, method, path, options);
}
