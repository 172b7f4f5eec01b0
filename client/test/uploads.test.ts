// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { CountingProxy } from '../../server/test/support/network/counting-proxy.ts';
import { FlakyProxy } from '../../server/test/support/network/flaky-proxy.ts';
import { inFull } from '../../tools/testing/tiers.ts';
import {
  ConflictError,
  DamagedError,
  ExpiredError,
  Holdall,
  MemoryTokenStore,
  ProtocolError,
  type UploadProgress,
} from '../src/client.ts';
import { logInNewUser } from './logged-in.ts';

const MIB = 1_024 * 1_024;
const service = await startHoldall();
const tokens = new MemoryTokenStore();
const { holdall } = await logInNewUser(service, { tokens });

function newBytes(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(size));
}

async function assertStored(fileId: number, bytes: Uint8Array): Promise<void> {
  const stored = await holdall.downloads.bytes(fileId);
  assert.equal(
    createHash('sha256').update(stored).digest('hex'),
    createHash('sha256').update(bytes).digest('hex'),
  );
}

describe('an upload', () => {
  test('of a small file is one request, and keeps name, type and time', async () => {
    const file = new File(['some text'], 'näme.md', {
      type: 'text/markdown',
      lastModified: 1_600_000_000_000,
    });
    const progress: UploadProgress[] = [];
    const onProgress = (step: UploadProgress) => void progress.push(step);
    const record = await holdall.uploads.put(file, { path: '/small/files' }, { onProgress });
    assert.equal(record.path, '/small/files/näme.md');
    assert.equal(record.contentType, 'text/markdown');
    assert.equal(record.modifiedAt, '2020-09-13T12:26:40.000Z');
    assert.deepEqual(progress, [
      { sentBytes: 0, totalBytes: 9 },
      { sentBytes: 9, totalBytes: 9 },
    ]);
    await assertStored(record.id, new TextEncoder().encode('some text'));
  });

  test('keeps quotes in a name', async () => {
    const filename = 'a "quoted" näme, and 100%22.txt';
    const record = await holdall.uploads.put('text', { path: '/with "quotes"', filename });
    assert.equal(record.path, `/with "quotes"/${filename}`);
  });

  test('of an empty file works', async () => {
    const record = await holdall.uploads.put('', { filename: 'empty' });
    assert.equal(record.size, 0);
    await assertStored(record.id, new Uint8Array());
  });

  test('of a large file is sent in chunks with progress', async () => {
    const bytes = newBytes(3 * MIB + 17);
    const progress: number[] = [];
    const record = await holdall.uploads.put(
      new File([bytes], 'film.mp4', { lastModified: 1_500_000_000_000 }),
      { path: '/large' },
      { chunkBytes: MIB, onProgress: ({ sentBytes }) => void progress.push(sentBytes) },
    );
    assert.equal(record.path, '/large/film.mp4');
    assert.equal(record.modifiedAt, '2017-07-14T02:40:00.000Z');
    assert.deepEqual([...new Set(progress)], [0, MIB, 2 * MIB, 3 * MIB, bytes.length]);
    await assertStored(record.id, bytes);
  });

  test('survives connections that keep breaking', inFull, async () => {
    const proxy = new FlakyProxy([service.url]);
    const flaky = new Holdall({ url: await proxy.open(), tokens });
    const bytes = newBytes(8 * MIB);
    try {
      const record = await flaky.uploads.put(bytes, { filename: 'flaky.bin' }, { chunkBytes: MIB });
      assert.ok(proxy.breaks >= 1);
      await assertStored(record.id, bytes);
    } finally {
      await proxy.close();
    }
  });

  test('killed in the middle is continued by another run of the program', async () => {
    const bytes = newBytes(8 * MIB);
    const controller = new AbortController();
    let resumeToken = '';
    const killed = holdall.uploads.put(
      bytes,
      { filename: 'killed.bin' },
      {
        chunkBytes: MIB,
        signal: controller.signal,
        onResumeToken: (token) => {
          resumeToken = token;
        },
        onProgress: ({ sentBytes }) => sentBytes >= 5 * MIB && controller.abort(new Error('killed')),
      },
    );
    await assert.rejects(killed, /killed/);
    const proxy = await CountingProxy.open(service.url);
    const later = new Holdall({ url: proxy.url, tokens });
    assert.equal(await later.uploads.offset(resumeToken), 5 * MIB);
    const record = await later.uploads.resume(resumeToken, bytes);
    assert.equal(record.filename, 'killed.bin');
    assert.ok(proxy.sentBytes < 4 * MIB, `${proxy.sentBytes} bytes were sent for the last 3 MiB`);
    await assertStored(record.id, bytes);
  });

  test('is not sent again if only its last response was lost', async () => {
    const bytes = newBytes(MIB);
    let isLost = false;
    const losing: typeof fetch = async (url, request) => {
      const response = await fetch(url, request);
      if (request?.method !== 'PATCH' || isLost) return response;
      isLost = true;
      throw new TypeError('the connection broke');
    };
    const client = new Holdall({ url: service.url, tokens, fetch: losing });
    const record = await client.uploads.put(bytes, { filename: 'lost-answer.bin' });
    assert.equal(isLost, true);
    await assertStored(record.id, bytes);
  });

  test('is repeated if its bytes are damaged in transit', async () => {
    const bytes = newBytes(MIB);
    let isDamaged = false;
    const damaging: typeof fetch = (url, request) => {
      if (request?.method !== 'PATCH' || isDamaged) return fetch(url, request);
      isDamaged = true;
      return fetch(url, { ...request, body: newBytes(MIB) });
    };
    const client = new Holdall({ url: service.url, tokens, fetch: damaging });
    const record = await client.uploads.put(bytes, { filename: 'damaged.bin' });
    assert.equal(isDamaged, true);
    await assertStored(record.id, bytes);
  });

  test('to a taken name is a conflict, whatever its size', async () => {
    for (const size of [10, 2 * MIB]) {
      const filename = `taken-${size}`;
      await holdall.uploads.put(newBytes(size), { filename });
      await assert.rejects(holdall.uploads.put(newBytes(size), { filename }), ConflictError);
    }
  });

  test('is a conflict if its name is taken meanwhile, and succeeds once the name is free', async () => {
    const bytes = newBytes(MIB);
    let resumeToken = '';
    const taking: typeof fetch = async (url, request) => {
      if (request?.method === 'PATCH') await holdall.drive.makeDirectory('/contested');
      return fetch(url, request);
    };
    const client = new Holdall({ url: service.url, tokens, fetch: taking });
    const onResumeToken = (token: string) => {
      resumeToken = token;
    };
    await assert.rejects(
      client.uploads.put(bytes, { filename: 'contested' }, { onResumeToken }),
      ConflictError,
    );
    const directory = await holdall.drive.find('/contested');
    await holdall.drive.rename(directory?.id ?? 0, 'out of the way');
    const record = await holdall.uploads.resume(resumeToken, bytes);
    assert.equal(record.path, '/contested');
    await assertStored(record.id, bytes);
  });

  test('uses small chunks over a connection that only carries small requests', async () => {
    const bytes = newBytes(2 * MIB);
    const sizes: number[] = [];
    const fragile: typeof fetch = (url, request) => {
      const { method, body } = request ?? {};
      const size = method === 'PATCH' && body instanceof Uint8Array ? body.length : 0;
      sizes.push(size);
      return size > 600_000 ? Promise.reject(new TypeError('the connection broke')) : fetch(url, request);
    };
    const client = new Holdall({ url: service.url, tokens, fetch: fragile });
    const record = await client.uploads.put(bytes, { filename: 'fragile.bin' }, { chunkBytes: MIB });
    assert.ok(sizes.includes(MIB) && sizes.includes(MIB / 2));
    await assertStored(record.id, bytes);
  });

  test('ends immediately when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const stuck: typeof fetch = (url, request) => {
      if (request?.method !== 'PATCH') return fetch(url, request);
      setImmediate(() => controller.abort(reason));
      return new Promise((_resolve, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
      });
    };
    const client = new Holdall({ url: service.url, tokens, fetch: stuck });
    const upload = client.uploads.put(newBytes(MIB), { filename: 'aborted' }, { signal: controller.signal });
    await assert.rejects(upload, reason);
  });

  test('is gone after it was discarded', async () => {
    let resumeToken = '';
    const controller = new AbortController();
    const onResumeToken = (token: string) => {
      resumeToken = token;
      controller.abort();
    };
    const bytes = newBytes(MIB);
    const { signal } = controller;
    await assert.rejects(holdall.uploads.put(bytes, { filename: 'discarded' }, { onResumeToken, signal }));
    await holdall.uploads.discard(resumeToken);
    await assert.rejects(holdall.uploads.resume(resumeToken, bytes), ExpiredError);
  });

  test('is not continued with another file, or with a token for something else', async () => {
    let resumeToken = '';
    const controller = new AbortController();
    const onResumeToken = (token: string) => {
      resumeToken = token;
      controller.abort();
    };
    const { signal } = controller;
    await assert.rejects(
      holdall.uploads.put(newBytes(MIB), { filename: 'other' }, { onResumeToken, signal }),
    );
    await assert.rejects(holdall.uploads.resume(resumeToken, newBytes(MIB + 1)), DamagedError);
    assert.throws(() => holdall.uploads.resume('{"a":1}', newBytes(MIB)), ProtocolError);
  });
});
