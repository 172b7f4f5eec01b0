// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from './requests/operations.ts';
import { ResponseChecks } from './response-checks.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TICKET = {
  type: ['object', 'null'],
  required: ['ticket'],
  properties: { ticket: { type: 'string' } },
};
const NEEDED_CODE = { type: 'object', properties: { data: TICKET } };
const operation: Operation = {
  name: 'GET /api/files/list',
  method: 'GET',
  url: '/api/files/list',
  parameters: [],
  bodies: {},
  responses: {
    200: { content: { 'application/json': { schema: { type: 'object', required: ['data'] } } } },
    '4XX': { content: { 'application/json': { schema: {} } } },
    412: {},
    401: { content: { 'application/json': { schema: NEEDED_CODE } } },
  },
};

const checks = new ResponseChecks();

function check(
  status: number,
  body: unknown,
  options: { target?: string; headers?: object; method?: string } = {},
) {
  const { target = '/api/files/list', method = 'GET', headers = {} } = options;
  const all = {
    'content-type': JSON_TYPE,
    'x-content-type-options': 'nosniff',
    'x-request-id': '1',
    ...headers,
  };
  const response = {
    status,
    headers: new Map(Object.entries(all)),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    isComplete: true,
  };
  return checks.find({ operation, method, target, response });
}

const failure = (code: number, msg = 'No.') => ({ code, msg, data: null });

test('responses that match the documentation have no fault', () => {
  assert.deepEqual(check(200, { data: 1 }), []);
  assert.deepEqual(check(404, failure(1003)), []);
  assert.deepEqual(check(404, failure(2404), { target: '/api/v2/tasks/1' }), []);
  assert.deepEqual(check(404, '', { method: 'HEAD' }), []);
  assert.deepEqual(check(412, ''), []);
});

test('an error may have only the data documented for it', () => {
  const headers = { 'www-authenticate': 'Bearer' };
  const needed = (data: unknown) => check(401, { ...failure(1001), data }, { headers });
  assert.deepEqual(needed({ ticket: 't' }), []);
  assert.deepEqual(needed(null), []);
  assert.match(needed({ hash: 'h' }).join(), /the body does not match its schema: \/data/);
});

test('a path in a message may contain any words, because the client sent it', () => {
  assert.deepEqual(check(404, failure(1003, 'There is no directory /undefined/sqlite.')), []);
});

for (const [what, status, body, options, expected] of [
  ['an internal failure', 500, failure(1500), {}, /status 500/],
  ['a failure to serve', 503, failure(1503), { headers: { 'retry-after': '1' } }, /status 503/],
  ['an undocumented status', 201, { data: 1 }, {}, /201 is not documented/],
  ['a body that does not match', 200, { other: 1 }, {}, /does not match its schema/],
  ['a body that is not JSON', 200, '{', {}, /not JSON/],
  [
    'another content type',
    200,
    '{}',
    { headers: { 'content-type': 'text/html' } },
    /text\/html is not documented/,
  ],
  ['a body where none is documented', 412, failure(1000), {}, /without content has a body/],
  ['an error without an envelope', 404, 'gone', {}, /not an envelope/],
  ['an error with more members', 404, { ...failure(1003), stack: '' }, {}, /more than code/],
  ['a code of the other family', 404, failure(2404), {}, /2404 does not belong/],
  ['a legacy code in the new family', 404, failure(1003), { target: '/api/v2/x' }, /1003 does not belong/],
  ['an error of the database', 400, failure(1000, 'SQLITE_CONSTRAINT'), {}, /shows how the program works/],
  ['a 429 without Retry-After', 429, failure(1429), {}, /no Retry-After/],
  ['a 401 without a challenge', 401, failure(1001), {}, /no WWW-Authenticate/],
  [
    'a missing security header',
    200,
    { data: 1 },
    { headers: { 'x-content-type-options': '' } },
    /X-Content-Type/,
  ],
] as const) {
  test(`${what} is reported`, () => assert.match(check(status, body, options).join('\n'), expected));
}
