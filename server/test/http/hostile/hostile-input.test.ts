// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { type CallOptions, formOf } from '../../support/app/person.ts';
import { rawRequest, sendEndless, sendRaw } from '../../support/network/raw-request.ts';
import { anyCharacter } from '../../support/text/any-character.ts';

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const file = await alice.upload('/Documents/file.txt', 'content');
const before = await alice.state();

const BAD_NAMES: Readonly<Record<string, string>> = {
  nothing: '',
  blanks: '   ',
  'other blanks': '\u00a0\u2003',
  'a dot': '.',
  'two dots': '..',
  'a slash': 'a/b',
  'a backslash': 'a\\b',
  NUL: 'a\u0000b',
  'a line break': 'a\nb',
  DEL: 'a\u007f',
  'a C1 control': 'a\u0085b',
  'a lone high surrogate': 'a\ud800',
  'a lone low surrogate': '\udc00a',
  '256 bytes': 'x'.repeat(256),
  '128 characters of two bytes': 'é'.repeat(128),
};

const BAD_PATHS: Readonly<Record<string, string>> = {
  'the directory above': '/..',
  'the directory above, in the middle': '/Documents/../Documents',
  'the directory itself': '/Documents/./x',
  'a backslash': '/Documents\\x',
  'the directory above, with backslashes': '/Documents\\..\\x',
  'a blank segment': '/Documents/ /x',
  NUL: '/Documents\u0000',
  'a control': '/Documents/\u001b[2J',
  'a lone surrogate': '/\ud83d',
  'a long segment': `/${'x'.repeat(256)}`,
  'more than 4,096 bytes': `/${'x'.repeat(200)}`.repeat(21),
  '129 levels': '/d'.repeat(129),
};

describe('invalid names', () => {
  for (const [what, name] of Object.entries(BAD_NAMES)) {
    test(`${what}: rejected by every call that takes a name`, async () => {
      await assertRejected('PATCH', `/api/files/${file.id}/rename`, { body: { filename: name } });
      const announced = { body: { filename: name, size: 1 } };
      await assertRejected('POST', '/api/files/upload/initiate', announced);
      const completed = { body: { filename: name, storageName: 'blobs/x' } };
      await assertRejected('POST', '/api/files/upload/complete', completed);
    });
  }

  // FormData changes line breaks and lone surrogates, so names with these are left out.
  const inForms = Object.entries(BAD_NAMES).filter(([, name]) => name.isWellFormed() && !/[\n/]/.test(name));
  for (const [what, name] of inForms) {
    test(`${what}: rejected as the name of a file in a form`, async () => {
      const form = new FormData();
      form.set('file', new Blob(['x']), name);
      await assertRejected('POST', '/api/files/upload', { body: form });
    });
  }

  for (const name of ['../escape', '/etc/passwd', 'C:\\x', 'a/../b']) {
    test(`the file name ${name} is rejected, not shortened to its last part`, async () => {
      const form = new FormData();
      form.set('file', new Blob(['x']), name);
      await assertRejected('POST', '/api/files/upload', { body: form });
    });
  }
});

describe('invalid paths', () => {
  for (const [what, path] of Object.entries(BAD_PATHS)) {
    test(`${what}: rejected by every call that takes a path`, async () => {
      await assertRejected('POST', '/api/files/mkdir', { body: { path } });
      await assertRejected('PATCH', `/api/files/${file.id}/move`, { body: { path } });
      await assertRejected('POST', `/api/files/${file.id}/copy`, { body: { path } });
      await assertRejected('POST', '/api/files/upload/initiate', { body: { path, filename: 'x', size: 1 } });
      const completed = { path, filename: 'x', storageName: 'blobs/x' };
      await assertRejected('POST', '/api/files/upload/complete', { body: completed });
      if (!path.isWellFormed()) return;
      const form = formOf('/x', 'x');
      form.set('path', path);
      await assertRejected('POST', '/api/files/upload', { body: form });
      await assertRejected('GET', `/api/files/list?${new URLSearchParams({ path })}`);
    });
  }

  for (const path of ['%2e%2e', '/Documents/%2E%2e/x', '..%2f..', '%2e%2e%5c', 'Documents%00', '%0d%0a']) {
    test(`${path} in a URL is decoded once and rejected`, () =>
      assertRejected('GET', `/api/files/list?path=${path}`));
  }

  test('a path that was encoded twice is an ordinary path, which does not exist', async () => {
    for (const path of ['%252e%252e', '/Documents/%252e%252e/Documents', '%25'])
      await assertRejected('GET', `/api/files/list?path=${path}`, {}, 404, 1003);
  });
});

describe('invalid ids', () => {
  const ids = [
    'abc',
    '0',
    '-1',
    '1.5',
    '1e30',
    '1e-1',
    '0x1',
    '1e0',
    '+1',
    '%201',
    '1%20',
    '1.0',
    'NaN',
    'Infinity',
    'null',
    'true',
    '9007199254740993',
  ];
  for (const id of [...ids, '%20', '%00', '1;drop', "1'", '..%2f1', '%F0%9F%98%80', '1'.repeat(500)]) {
    test(`${id.slice(0, 30)} is not an id`, async () => {
      await assertRejected('GET', `/api/files/download/${id}`);
      await assertRejected('GET', `/api/files/download/${id}/url`);
      await assertRejected('GET', `/api/v2/files/${id}`, {}, 400, 2400);
      await assertRejected('PATCH', `/api/files/${id}/rename`, { body: { filename: 'x' } });
      await assertRejected('PATCH', `/api/files/${id}/move`, { body: { path: '/' } });
      await assertRejected('POST', `/api/files/${id}/copy`, { body: { path: '/' } });
      await assertRejected('DELETE', `/api/files/${id}`);
      await assertRejected('POST', `/api/files/recycle-bin/${id}/restore`);
      await assertRejected('DELETE', `/api/files/recycle-bin/${id}`);
    });
  }
});

test('a page and a size must be whole numbers in decimal notation', async () => {
  for (const text of ['0x10', '1e1', '%205', '5%20', '+5', '', '5.0', 'true', '٣']) {
    await assertRejected('GET', `/api/files/list?size=${encodeURI(decodeURI(text))}`);
    await assertRejected('GET', `/api/files/list?page=${encodeURI(decodeURI(text))}`);
    await assertRejected('GET', `/api/files/recent?size=${encodeURI(decodeURI(text))}`);
  }
  assert.equal((await alice.list('/', { size: 5, page: 0 })).size, 5);
});

describe('invalid bodies', () => {
  const json = { 'content-type': 'application/json' };
  const calls: readonly [string, string, string][] = [
    ['PATCH', `/api/files/${file.id}/rename`, 'filename'],
    ['PATCH', `/api/files/${file.id}/move`, 'path'],
    ['POST', `/api/files/${file.id}/copy`, 'path'],
    ['POST', '/api/files/mkdir', 'path'],
    ['POST', '/api/files/upload/initiate', 'filename'],
    ['POST', '/api/files/upload/complete', 'storageName'],
  ];
  for (const [method, path, member] of calls) {
    describe(`of ${method} ${path}`, () => {
      for (const body of [
        '{',
        '{"a":}',
        "{'path':'/x'}",
        'path=/x',
        '\ufeff',
        '{"path":"\u0001"}',
        '{} {}',
      ]) {
        test(`${JSON.stringify(body)} is not JSON`, () =>
          assertRejected(method, path, { body, headers: json }));
      }
      for (const body of ['[]', '"x"', '5', 'null', 'true', '[{"path":"/x"}]', '{}', ' ', '']) {
        test(`${JSON.stringify(body)} does not match the schema`, () =>
          assertRejected(method, path, { body, headers: json }));
      }
      for (const value of [5, null, true, [], {}, ['/x'], { toString: 'x' }]) {
        test(`${member} cannot be ${JSON.stringify(value)}`, () =>
          assertRejected(method, path, { body: { path: '/x', filename: 'x', size: 1, [member]: value } }));
      }
      test('members of the prototype do not count as sent', () =>
        assertRejected(method, path, {
          body: `{"__proto__": {"${member}": "x"}, "constructor": {"prototype": {"${member}": "x"}}}`,
          headers: json,
        }));
      test('another content type is rejected', () =>
        assertRejected(method, path, {
          body: '<path>/x</path>',
          headers: { 'content-type': 'application/xml' },
        }));
      test('more than a megabyte is rejected', () =>
        assertRejected(method, path, { body: { path: 'x'.repeat(1_100_000) } }, 413, 1003));
    });
  }

  test('unknown members are ignored', async () => {
    const body = `{"filename": "file.txt", "id": 1, "size": -5, "__proto__": {"a": 1}, "ownerId": {}}`;
    const renamed = await alice.ask<EntryRecord>('PATCH', `/api/files/${file.id}/rename`, {
      body,
      headers: json,
    });
    assert.deepEqual(renamed, file);
    assert.equal(Reflect.get({}, 'a'), undefined);
  });

  test('form fields named like prototype members do not count as a path', async () => {
    const form = new FormData();
    for (const name of ['__proto__', 'constructor', 'toString']) form.set(name, '/x');
    await assertRejected('POST', '/api/files/mkdir', { body: form });
    await assertRejected('POST', '/api/files/mkdir', {
      body: new URLSearchParams({ __proto: '/x', '': '/x' }),
    });
  });

  test('a truncated form does not create a directory', async () => {
    for (const form of ['--B\r\nContent-Disposition: form-data; name="path"\r\n\r\n/cut', '--B', '']) {
      const headers = { 'content-type': 'multipart/form-data; boundary=B' };
      await assertRejected('POST', '/api/files/mkdir', { body: form, headers });
    }
    const truncatedFile = '--B\r\nContent-Disposition: form-data; name="x"; filename="y"\r\n\r\ncut';
    await assertRejected('POST', '/api/files/mkdir', {
      body: truncatedFile,
      headers: { 'content-type': 'multipart/form-data; boundary=B' },
    });
  });
});

describe('requests that HTTP allows but Node.js does not pass on', () => {
  test('an unknown expectation is ignored', async () => {
    const response = await sendRaw(alice, rawRequest(alice, 'GET /api/user/profile', { expect: 'tea' }));
    assert.deepEqual([response.status, response.code], [200, 0]);
  });

  for (const url of ['/api/files/%0', '/api/v2/tasks/%ff', `/api/v2/tasks/${'1'.repeat(600)}`]) {
    test(`${url.slice(0, 20)} gets the headers of every response`, async () => {
      const response = await sendRaw(alice, rawRequest(alice, `GET ${url}`));
      assert.deepEqual([response.status, response.code], [400, url.includes('v2') ? 2400 : 1000]);
      assert.match(response.head, /^x-content-type-options: nosniff\r$/im);
      assert.match(response.head, /^x-request-id: \S+\r$/im);
    });
  }
});

describe('forms without a file', () => {
  for (const part of ['name="path"; filename="endless"', 'name="path"']) {
    test(`are rejected if ${part} has more than a megabyte`, async () => {
      const response = await sendEndless(
        alice,
        'POST /api/files/mkdir',
        { 'content-type': 'multipart/form-data; boundary=B' },
        `--B\r\nContent-Disposition: form-data; ${part}\r\n\r\n/`,
      );
      assert.deepEqual([response.status, response.code], [413, 1003], response.msg);
    });
  }
});

describe('invalid URLs', () => {
  for (const [method, path] of [
    ['GET', '/nowhere'],
    ['POST', '/api'],
    ['GET', '/api/files'],
    ['PUT', '/api/files/mkdir'],
    ['POST', '/api/files/list'],
    ['GET', '/api/files/upload'],
    ['PATCH', '/api/files/1'],
    ['GET', '/api/files/1/rename'],
    ['GET', '/api/files/list/'],
    ['GET', '/API/files/list'],
    ['GET', '/api//files/list'],
    ['GET', `/${'x'.repeat(5_000)}`],
    ['GET', '/api/v20/files'],
  ] as const) {
    test(`${method} ${path.slice(0, 40)} is not found`, async () => {
      await assertRejected(method, path, {}, 404, 1003);
      const response = await holdall.anonymous.call(method, path);
      assert.deepEqual([response.status, response.code], [404, 1003]);
    });
  }

  for (const [method, path] of [
    ['GET', '/api/v2'],
    ['GET', '/api/v2/nowhere'],
    ['POST', '/api/v2/site/ping'],
    ['DELETE', '/api/v2/files/1'],
    ['GET', '/api/v2?x=y'],
  ] as const) {
    test(`${method} ${path} is not found, with the code of the v2 family`, async () => {
      await assertRejected(method, path, {}, 404, 2404);
      await holdall.anonymous.refused(404, 2404, method, path);
    });
  }

  for (const broken of ['%', '%zz', '%c3%28', '%ff', '%e0%80', 'a%2']) {
    test(`the escape ${broken} is rejected in both families`, async () => {
      for (const [line, code] of [
        [`GET /api/files/download/${broken}`, 1000],
        [`GET /api/v2/files/${broken}`, 2400],
      ] as const) {
        const response = await sendRaw(alice, rawRequest(alice, line));
        assert.deepEqual([response.status, response.code], [400, code], response.msg);
      }
    });
  }

  test('without a token the error is a missing login, with the code of the API family', async () => {
    await holdall.anonymous.refused(401, 1001, 'GET', '/api/files/list?size=x');
    await holdall.anonymous.refused(401, 1001, 'DELETE', '/api/files/abc');
    await holdall.anonymous.refused(401, 2401, 'GET', '/api/v2/files/abc');
  });
});

test('any text as a name is rejected or stored in NFC', async () => {
  const bob = await holdall.register('bob');
  let entry = await bob.upload('/fuzz/file', 'x');
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom('/', '\\', '.', '%', '2', 'e', ' ', '\u0000', '\ud800', 'é', 'a') }),
  );
  const names = fc.asyncProperty(text, async (filename) => {
    const response = await bob.call<EntryRecord>('PATCH', `/api/files/${entry.id}/rename`, {
      body: { filename },
    });
    if (response.status === 200) {
      assert.equal(response.data.filename, filename.normalize('NFC'));
      assert.deepEqual(await bob.names('/fuzz'), [response.data.filename]);
      entry = response.data;
    } else {
      assert.deepEqual([response.status, response.code, response.data], [400, 1000, null]);
    }
  });
  await fc.assert(names, { numRuns: isFull ? 150 : 40 });
  assert.deepEqual(await bob.names(), ['Documents', 'Downloads', 'fuzz', 'Pictures']);
});

test('any text as a path is rejected or creates a directory at exactly that path', async () => {
  const bob = await holdall.register('bob');
  const segment = fc.constantFrom('..', '.', '', ' ', '%2e%2e', 'a', 'é', 'e\u0301', '\\', '\u0000', 'b c');
  const paths = fc.asyncProperty(fc.array(segment, { maxLength: 6 }), async (segments) => {
    const path = segments.join('/');
    const response = await bob.call<EntryRecord>('POST', '/api/files/mkdir', { body: { path } });
    if (response.status !== 200) return assert.ok([400, 409].includes(response.status), response.msg);
    const clean = `/${segments.filter((each) => each !== '').join('/')}`.normalize('NFC');
    assert.equal(response.data.path, clean);
    assert.equal((await bob.list(clean)).total, 0);
  });
  await fc.assert(paths, { numRuns: isFull ? 120 : 40 });
  assert.equal(await bob.usedBytes(), 0);
});

test('malformed HTTP gets an error envelope', async () => {
  for (const text of [
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nbad header\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\n\r\n',
  ]) {
    const response = await sendRaw(alice, Buffer.from(text));
    assert.deepEqual([response.status, response.code], [400, 1000]);
    assert.match(response.head, /^x-content-type-options: nosniff\r$/im);
    assert.match(response.head, /^content-security-policy: .*sandbox\r$/im);
  }
  const endless = `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`;
  assert.equal((await sendRaw(alice, Buffer.from(endless))).code, 1000);
});

test('no rejected request has changed anything', async () => {
  assert.deepEqual(await alice.state(), before);
});

async function assertRejected(
  method: string,
  path: string,
  options: CallOptions = {},
  status = 400,
  code = 1000,
) {
  await alice.refused(status, code, method, path, options);
}
