// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renameEntry } from '../../../server/src/drive/contract.ts';
import { toCurl } from '../reproduction.ts';
import type { Draft } from './draft.ts';
import { draftValidRequest } from './drafts.ts';
import { encodeRequest, encodeText } from './encoding.ts';
import { KnownValues } from './known-values.ts';
import { ALL_MUTATIONS, mutate } from './mutations.ts';
import { OddValues } from './odd-values.ts';
import { listOperations } from './operations.ts';
import { Random } from './random.ts';
import { borderValues, validValue } from './schema-values.ts';

const document = {
  paths: {
    '/api/files/{fileId}/rename': {
      patch: {
        parameters: [{ in: 'path', name: 'fileId', required: true, schema: { type: 'integer', minimum: 1 } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['filename'],
                properties: { filename: { type: 'string' } },
              },
            },
          },
        },
        responses: {},
      },
    },
    '/api/files/list': { get: { responses: {} } },
  },
} as const;

const routes = [
  {
    method: 'PATCH',
    url: '/api/files/:fileId/rename',
    access: 'login',
    appPassword: 'write',
    operation: renameEntry,
  },
  { method: 'HEAD', url: '/api/files/list', access: 'login', appPassword: 'write' },
  { method: 'GET', url: '/_dl/*', access: 'public', appPassword: 'read' },
  { method: 'GET', url: '/api/docs/json', access: 'public', appPassword: 'read' },
] as const;

const [rename, list, signed] = listOperations(document, routes);

function contextOf(seed: number) {
  const random = new Random(seed);
  return { random, odd: new OddValues(random), known: new KnownValues(random) };
}

test('an operation is listed for each route, with or without a description', () => {
  assert.deepEqual(
    listOperations(document, routes).map(({ name }) => name),
    ['PATCH /api/files/{fileId}/rename', 'HEAD /api/files/list', 'GET /_dl/*'],
  );
  assert.deepEqual([list?.responses, signed?.responses], [{}, undefined]);
  assert.deepEqual(
    signed?.parameters.map(({ name }) => name),
    ['*'],
  );
});

test('a valid request uses an id that the same role has received', () => {
  assert.ok(rename);
  const context = contextOf(1);
  context.known.addAll('member', {
    data: { items: [{ id: 42, parentPath: '/', path: '/a', directory: false }] },
  });
  const draft = draftValidRequest(rename, 'member', context);
  const { bytes } = encodeRequest(draft, 'localhost', 'token');
  assert.match(`${bytes}`, /^PATCH \/api\/files\/42\/rename HTTP\/1\.1\r\nhost: localhost\r\n/);
  assert.match(
    `${bytes}`,
    /\r\ncontent-type: application\/json\r\ncontent-length: \d+\r\n\r\n\{"filename":"/,
  );
});

test('the values of a role no longer count as its own once it has a new account', () => {
  const { known } = contextOf(1);
  known.add('share', 'member', { id: 1 });
  known.giveToAnonymous('member');
  known.add('share', 'member', { id: 2 });
  const found = Array.from({ length: 50 }, () => known.find('share', 'member')?.id);
  assert.ok(found.filter((id) => id === 2).length > 35);
});

test('the same seed gives the same request', () => {
  const build = (seed: number) => {
    assert.ok(rename);
    const context = contextOf(seed);
    const draft = draftValidRequest(rename, 'admin', context);
    for (let count = 0; count < 5; count += 1) mutate(draft, context);
    return encodeRequest(draft, 'localhost', undefined).bytes.toString('latin1');
  };
  assert.equal(build(5), build(5));
  assert.notEqual(build(5), build(6));
});

test('every mutation produces a request that can be sent', () => {
  assert.ok(rename && list && signed);
  const context = contextOf(9);
  for (const operation of [rename, list, signed]) {
    for (const change of ALL_MUTATIONS) {
      for (let round = 0; round < 40; round += 1) {
        const draft = draftValidRequest(operation, 'member', context);
        change(draft, context);
        const head = encodeRequest(draft, 'localhost', undefined)
          .bytes.toString('latin1')
          .split('\r\n\r\n')[0];
        assert.equal(head?.split('\r\n')[0]?.endsWith(' HTTP/1.1'), true, head);
      }
    }
  }
});

test('a chunked body contains the same bytes', () => {
  assert.ok(rename);
  const draft: Draft = {
    operation: rename,
    role: 'member',
    method: 'PATCH',
    path: { fileId: '1' },
    query: [['a b', 'ü']],
    headers: [['content-type', 'text/plain']],
    body: { kind: 'bytes', contentType: 'application/json', bytes: Buffer.from('abcde') },
    isChunked: true,
  };
  const { bytes } = encodeRequest(draft, 'h', undefined);
  assert.equal(
    `${bytes}`,
    'PATCH /api/files/1/rename?a%20b=%C3%BC HTTP/1.1\r\nhost: h\r\ncontent-type: text/plain\r\n' +
      'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  );
});

test('a lone surrogate is sent as three bytes', () => {
  assert.equal(encodeText('a\ud800é'), 'a%ed%a0%80%C3%A9');
});

test('values are generated on both sides of every limit', () => {
  assert.deepEqual(borderValues({ minimum: 1, maximum: 5 }), [0, 1, 2, 4, 5, 6]);
  const texts = borderValues({ type: 'string', maxLength: 2 }).map((text) => `${text}`.length);
  assert.deepEqual(
    [...new Set(texts)].sort((a, b) => a - b),
    [1, 2, 3, 4, 6],
  );
  const random = new Random(1);
  for (let round = 0; round < 100; round += 1) {
    const value = validValue({ type: 'integer', minimum: 1, maximum: 5 }, '', random, () => undefined);
    assert.ok(Number(value) >= 1 && Number(value) <= 5, `${value}`);
  }
});

test('a reproduction can be pasted into a shell and shows no token', () => {
  assert.ok(rename);
  const draft = draftValidRequest(rename, 'member', contextOf(1));
  draft.rawTarget = "/a'b\x01";
  draft.headers = [['x', 'é']];
  assert.equal(
    toCurl({ ...encodeRequest(draft, 'h', 'eyJ.secret'), body: Buffer.from('{"a":1}') }),
    "curl -i --path-as-is -X PATCH $'$URL/a\\'b\\x01' -H 'authorization: Bearer $TOKEN' " +
      "-H 'content-type: application/json' -H $'x: \\xe9' --data-binary '{\"a\":1}'",
  );
});
