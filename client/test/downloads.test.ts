// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { DamagedError, Holdall, MemoryTokenStore, PreconditionError } from '../src/client.ts';
import { logInNewUser } from './logged-in.ts';

const service = await startHoldall();
const tokens = new MemoryTokenStore();
const { holdall } = await logInNewUser(service, { tokens });
const bytes = new Uint8Array(randomBytes(1_000_000));
const file = await holdall.uploads.put(bytes, { filename: 'random näme.bin' });

/** A `fetch` whose first responses to downloads break after these numbers of bytes. */
function breakingFetch(lengths: readonly number[]): {
  readonly fetch: typeof fetch;
  readonly ranges: string[];
} {
  const ranges: string[] = [];
  const send: typeof fetch = async (url, request) => {
    const response = await fetch(url, request);
    if (request?.method !== 'GET' || !String(url).includes('/download/')) return response;
    ranges.push(new Headers(request.headers).get('range') ?? '');
    const length = lengths[ranges.length - 1];
    return length === undefined ? response : new Response(cut(response, length), response);
  };
  return { fetch: send, ranges };
}

function cut({ body }: Response, length: number): ReadableStream<Uint8Array> {
  assert.ok(body);
  let remaining = length;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (chunk.length <= remaining) controller.enqueue(chunk);
        else {
          if (remaining > 0) controller.enqueue(chunk.subarray(0, remaining));
          controller.error(new TypeError('the connection broke'));
        }
        remaining = Math.max(0, remaining - chunk.length);
      },
    }),
  );
}

describe('a download', () => {
  test('knows name, size, type and ETag before its bytes arrive', async () => {
    const download = await holdall.downloads.open(file.id);
    assert.deepEqual(
      [download.filename, download.size, download.fullSize, download.contentType],
      ['random näme.bin', bytes.length, bytes.length, file.contentType],
    );
    const head = await holdall.downloads.head(file.id);
    assert.deepEqual(head, { etag: download.etag, size: bytes.length });
    assert.deepEqual(await download.bytes(), bytes);
  });

  test('of a part has the bytes of that part', async () => {
    const download = await holdall.downloads.open(file.id, { start: 1_000, end: 2_500 });
    assert.deepEqual([download.size, download.fullSize], [1_500, bytes.length]);
    assert.deepEqual(await download.bytes(), bytes.subarray(1_000, 2_500));
    assert.deepEqual(await holdall.downloads.bytes(file.id, { start: 999_990 }), bytes.subarray(999_990));
  });

  test('continues where the connection broke', async () => {
    const { fetch, ranges } = breakingFetch([300_000, 0, 400_000]);
    const client = new Holdall({ url: service.url, tokens, fetch });
    const received: number[] = [];
    const stored = await client.downloads.bytes(file.id, {
      onProgress: ({ receivedBytes }) => void received.push(receivedBytes),
    });
    assert.deepEqual(stored, bytes);
    assert.deepEqual(ranges.slice(0, 3), ['', 'bytes=300000-999999', 'bytes=300000-999999']);
    assert.match(ranges[3] ?? '', /^bytes=7\d{5}-999999$/);
    assert.equal(received.at(-1), bytes.length);
  });

  test('does not mix old and new content', async () => {
    const changing = await holdall.uploads.put(bytes, { filename: 'changing.bin' });
    const { fetch } = breakingFetch([300_000]);
    const client = new Holdall({ url: service.url, tokens, fetch });
    const download = await client.downloads.open(changing.id);
    await holdall.versions.replace(changing.id, 'something else');
    await assert.rejects(download.bytes(), PreconditionError);
  });

  test('is reported as damaged if the bytes differ from those of the service', async () => {
    const damaging: typeof fetch = async (url, request) => {
      const response = await fetch(url, request);
      if (request?.method !== 'GET' || !String(url).includes('/download/')) return response;
      const received = new Uint8Array(await response.arrayBuffer());
      received[5] = (received[5] ?? 0) ^ 1;
      return new Response(received, response);
    };
    const client = new Holdall({ url: service.url, tokens, fetch: damaging });
    await assert.rejects(client.downloads.bytes(file.id), DamagedError);
    assert.equal((await client.downloads.bytes(file.id, { verify: false })).length, bytes.length);
  });

  test('still has the old bytes if the file is replaced meanwhile', async () => {
    const replaced = await holdall.uploads.put(bytes, { filename: 'replaced.bin' });
    const download = await holdall.downloads.open(replaced.id);
    await holdall.versions.replace(replaced.id, 'new');
    assert.deepEqual(await download.bytes(), bytes);
    const [version] = await holdall.versions.list(replaced.id);
    assert.ok(version);
    assert.deepEqual(await (await holdall.versions.open(replaced.id, version)).bytes(), bytes);
  });

  test('begins only if the content is the expected one', async () => {
    await assert.rejects(holdall.downloads.open(file.id, { etag: '"another"' }), PreconditionError);
  });

  test('ends immediately when it is aborted or no longer read', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const silent: typeof fetch = async (url, request) => {
      const response = await fetch(url, request);
      if (!String(url).includes('/download/')) return response;
      const body = new ReadableStream({
        start: (stream) =>
          request?.signal?.addEventListener('abort', () => stream.error(request.signal?.reason)),
      });
      return new Response(body, response);
    };
    const client = new Holdall({ url: service.url, tokens, fetch: silent });
    const download = await client.downloads.open(file.id, { signal: controller.signal });
    const reading = download.bytes();
    controller.abort(reason);
    await assert.rejects(reading, reason);
    const left = (await new Holdall({ url: service.url, tokens, fetch: silent }).downloads.open(file.id))
      .stream;
    const reader = left.getReader();
    const waiting = reader.read();
    await reader.cancel();
    assert.equal((await waiting).done, true);
  });

  test('of a directory or of several entries is a ZIP archive', async () => {
    const directory = await holdall.drive.makeDirectory('/packed');
    await holdall.uploads.put('inside', { path: '/packed', filename: 'inside.txt' });
    const one = await holdall.downloads.open(directory.id);
    assert.equal(one.filename, 'packed.zip');
    const several = await holdall.downloads.openZip([directory.id, file.id], { name: 'all.zip' });
    assert.equal(several.filename, 'all.zip');
    for (const download of [one, several]) {
      assert.deepEqual((await download.bytes()).subarray(0, 4), new Uint8Array([0x50, 0x4b, 3, 4]));
    }
  });
});
