// tier: default
// runs on: s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { Gate } from '../support/network/gate.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { createTestStorage } from '../support/storage/test-storage.ts';
import { assertRefused, ok, openSession, SESSIONS } from '../support/uploads/upload-session.ts';

// The service reaches its store through a proxy that can be closed. Clients reach the store directly.
const { HOLDALL_S3_ENDPOINT: storeUrl = '' } = createTestStorage().env;
const store = new URL(storeUrl);
const gate = new Gate({ host: store.hostname, port: Number(store.port) });
await gate.open();
after(() => gate.close());
const holdall = await startHoldall({
  env: { HOLDALL_S3_ENDPOINT: `http://127.0.0.1:${gate.port}`, HOLDALL_S3_PUBLIC_ENDPOINT: storeUrl },
});
const bytes = randomBytes(9_000_000);
let alice: Person;

before(async () => {
  alice = await holdall.register('alice');
});
afterEach(async () => {
  await gate.close();
  await gate.open();
  await checkBooks(holdall);
});

describe('while the store is unreachable', () => {
  test('a session cannot be opened, and leaves nothing', async () => {
    await gate.close();
    const answer = await alice.call('POST', SESSIONS, { body: { filename: 'a', size: bytes.length } });
    assertRefused(answer, 503);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    await gate.open();
    await openSession(alice, { filename: 'a', size: bytes.length });
  });

  test('parts can be sent, and the session can be completed when the store is back', inFull, async () => {
    const { calls } = await openSession(alice, { filename: 'parts', size: bytes.length });
    await gate.close();
    const chunk = 8 * 1024 * 1024;
    await calls.putPart(0, bytes.subarray(0, chunk));
    await calls.putPart(1, bytes.subarray(chunk));
    const used = await alice.usedBytes();
    assertRefused(await calls.complete(), 503);
    assert.equal(ok(await calls.get()).status, 'UPLOADING');
    assert.equal(await alice.usedBytes(), used);
    await gate.open();
    const { fileId } = ok(await calls.complete());
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
  });

  test('a session can be cancelled, and the sweeper removes its bytes', inFull, async () => {
    const { calls } = await openSession(alice, { filename: 'cancelled', size: bytes.length });
    await gate.close();
    assert.equal(ok(await calls.cancel()).status, 'CANCELLED');
    await gate.open();
    const uploads = async () =>
      (await holdall.storage.list(holdall.dataDir)).filter((name) => name.includes('(upload'));
    assert.ok((await uploads()).length > 0);
    holdall.clock.advance(26 * 3_600_000);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.deepEqual(await uploads(), []);
  });

  test('uploads and downloads through the service answer 503, and work when the store is back', async () => {
    const bob = await holdall.register('bob');
    const file = await bob.upload('/there', bytes);
    const body = () => {
      const form = new FormData();
      form.set('file', new Blob([bytes]), 'new');
      return form;
    };
    await gate.close();
    await bob.refused(503, 1503, 'POST', '/api/files/upload', { body: body() });
    await bob.refused(503, 1503, 'GET', `/api/files/download/${file.id}`);
    assert.equal((await fetch(`${holdall.url}/health/ready`)).status, 503);
    assert.equal((await fetch(`${holdall.url}/health/live`)).status, 200);
    assert.equal(await bob.usedBytes(), bytes.length);
    assert.equal((await bob.names()).includes('new'), false);
    await gate.open();
    assert.ok((await bob.download(file)).equals(bytes));
    await bob.ask('POST', '/api/files/upload', { body: body() });
  });

  test('a running download is interrupted, and never ends early without an error', inFull, async () => {
    const file = await alice.upload('/cut', bytes);
    const response = await alice.fetch('GET', `/api/files/download/${file.id}`);
    const reader = response.body?.getReader();
    assert.ok(reader);
    await reader.read();
    await gate.close();
    await assert.rejects(async () => {
      for (let step = await reader.read(); !step.done; step = await reader.read());
    });
  });
});

describe('an upload through the service whose store fails meanwhile', () => {
  test('is rejected, charges nothing, and leaves the session open', inFull, async () => {
    await withoutDirect(holdall);
    const { calls } = await openSession(alice, { filename: 'middle', size: bytes.length });
    const used = await alice.usedBytes();
    const boundary = 'a-boundary-of-the-test';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`;
    const source = async function* () {
      yield Buffer.from(head);
      yield bytes.subarray(0, 8_500_000);
      await gate.close();
      yield bytes.subarray(8_500_000);
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    };
    const answer = await alice.call('POST', `${SESSIONS}/${calls.id}/content`, {
      body: ReadableStream.from(source()),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    assertRefused(answer, 503);
    assert.equal(await alice.usedBytes(), used);
    await gate.open();
    assert.equal(ok(await calls.get()).status, 'UPLOADING');
    ok(await calls.send(bytes));
    const { fileId } = ok(await calls.complete());
    assert.ok((await alice.download({ id: fileId ?? 0 })).equals(bytes));
  });
});
