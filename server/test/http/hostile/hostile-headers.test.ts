// tier: full
// runs on: sqlite
// Headers as large as Node.js accepts, with texts that make careless regular expressions take quadratic time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import type { CallOptions } from '../../support/app/person.ts';
import { MAX_BLOCK_MS, measureBlock } from '../../support/stalls/longest-block.ts';

const holdall = await startHoldall({ env: { HOLDALL_TRUST_PROXY: '1', HOLDALL_RATE_LIMITS: 'off' } });
const alice = await holdall.register('alice');
const file = await alice.upload('/file.txt', 'content');
const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });

/** Almost the maximum that Node.js accepts for the headers of a request. */
const LENGTH = 14_000;
const fill = (text: string) => text.repeat(Math.floor(LENGTH / text.length));

const VALUES: readonly string[] = [
  `x${fill(' ')}x`,
  `a${fill('; ')}=`,
  `a/b; c="${fill('\\"')}`,
  `${fill('/')}x`,
  fill('='),
  fill('a=b; '),
  fill('W/"a", '),
  fill('9'),
];

const HEADERS = [
  ...['accept', 'accept-encoding', 'authorization', 'content-type', 'cookie', 'origin', 'x-forwarded-for'],
  ...['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'range'],
  ...['last-event-id', 'x-service-client', 'x-service-client-id', 'x-share-password', 'x-transfer-token'],
  ...['user-agent', 'x-service-device'],
  ...['x-http-method-override', 'upload-metadata', 'upload-checksum', 'upload-length', 'upload-offset'],
];

const REQUESTS: readonly (readonly [string, string, CallOptions])[] = [
  ['GET', '/', {}],
  ['GET', `/api/files/download/${file.id}`, {}],
  ['GET', `/api/v2/shares/${share.token}?download`, {}],
  ['GET', '/api/transfer/sessions/00000000-0000-4000-8000-000000000000/signals', {}],
  ['POST', '/api/auth/refresh', { body: { refreshToken: 'x' } }],
  ['POST', '/api/files/mkdir', { body: Buffer.from('{"path":"/"}') }],
  ['POST', '/api/v2/files/tus', { headers: { 'tus-resumable': '1.0.0', 'upload-length': '5' } }],
];

for (const header of HEADERS) {
  test(`no value of the header ${header} blocks the event loop`, async () => {
    const block = await measureBlock(async () => {
      for (const value of VALUES) {
        for (const [method, path, options] of REQUESTS) {
          await send(method, path, { ...options, headers: { ...options.headers, [header]: value } });
        }
      }
    });
    assert.ok(block <= MAX_BLOCK_MS, `${block.toFixed(0)} ms`);
  });
}

for (const header of ['content-disposition: form-data; name="file"; filename=', 'content-type: ', '']) {
  test(`a part of a form with "${header}…" does not block the event loop`, async () => {
    const block = await measureBlock(async () => {
      for (const value of VALUES) {
        const first = 'content-disposition: form-data; name="path"';
        const form = `--B\r\n${first}\r\n${header}${value.repeat(5)}\r\n\r\nx\r\n--B--\r\n`;
        const headers = { 'content-type': 'multipart/form-data; boundary=B' };
        for (const path of ['/api/files/mkdir', '/api/files/upload']) {
          await send('POST', path, { body: Buffer.from(form), headers });
        }
      }
    });
    assert.ok(block <= MAX_BLOCK_MS, `${block.toFixed(0)} ms`);
  });
}

async function send(method: string, path: string, options: CallOptions): Promise<void> {
  const response = await alice.fetch(method, path, options);
  await response.arrayBuffer();
  assert.ok(response.status < 500, `${method} ${path}: ${response.status}`);
}
