// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { type RawResponse, rawRequest, sendRaw } from '../../support/network/raw-request.ts';
import { PIECE, TusUpload } from '../../support/uploads/tus.ts';

const holdall = await startHoldall({ bodyTickMs: 20 });
const alice = await holdall.register('alice');

/** Announces a body of 1,000 bytes, sends its beginning, and waits for the response. */
function stall(person: Person, line: string, headers: Record<string, string>, begin: string) {
  const head = rawRequest(person, line, { ...headers, connection: 'keep-alive', 'content-length': 1_000 });
  return sendRaw(person, head, Buffer.from(begin));
}

function assertTimedOut(response: RawResponse, code: number): void {
  assert.deepEqual([response.status, response.code], [408, code], response.head);
  assert.match(response.head, /^connection: close\r$/im);
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'multipart/form-data; boundary=b' };
const filePart =
  '--b\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nthe beginning';

describe('a body that stays unfinished', { concurrency: true }, () => {
  test('is 408 and closes the connection, in the envelope of the API', async () => {
    assertTimedOut(await stall(alice, 'POST /api/files/mkdir', json, '{"path":'), 1003);
  });

  test('is 408 in v2', async () => {
    assertTimedOut(await stall(alice, 'POST /api/v2/files/upload-sessions', json, '{"path":'), 2408);
  });

  test('is 408 without a login', async () => {
    const { anonymous } = holdall;
    assertTimedOut(await stall(anonymous, 'POST /api/auth/login', json, '{"username":'), 1003);
  });

  test('is 408 for a form with a file, and nothing of it is stored', async () => {
    assertTimedOut(await stall(alice, 'POST /api/files/upload', form, filePart), 1003);
    assert(!(await alice.names('/')).includes('slow.txt'));
    assert.equal(await alice.usedBytes(), 0);
  });

  test('is 408 for a tus chunk, whose bytes are kept', async () => {
    const upload = await TusUpload.create(alice, 'kept.txt', 1_000);
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': PIECE };
    assertTimedOut(await stall(alice, `PATCH ${upload.path}`, headers, 'the beginning'), 2408);
    assert.equal(await upload.offset(), 'the beginning'.length);
  });
});
