// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import type { ByteRange } from '../../../src/base/bytes/byte-range.ts';
import type { DownloadableFile, DownloadableStream } from '../../../src/http/download/file-download.ts';
import {
  ask,
  LARGE,
  MemoryFile,
  MODIFIED_AT,
  SMALL,
  serve,
  serveStream,
  withoutTransport,
} from '../../support/http/download-fixture.ts';

describe('a download over a socket', () => {
  let directory = '';
  let filePath = '';
  const size = 8 * 1_024 * 1_024;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'file-download-'));
    filePath = path.join(directory, 'large');
    await writeFile(filePath, Buffer.alloc(size, 'abcdefghij'));
  });
  after(() => rm(directory, { recursive: true }));

  /** A file on disk, as the local store opens it. */
  function diskFile(): DownloadableFile & { readonly streams: Readable[] } {
    const streams: Readable[] = [];
    return {
      ...{ name: 'large', contentType: null, size, etag: 'v1', modifiedAt: MODIFIED_AT, streams },
      async open(range) {
        const handle = await open(filePath);
        const stream = createReadStream('', { fd: handle, ...range });
        streams.push(stream);
        return stream;
      },
      read: () => Promise.reject(new Error('too large to be read into memory')),
    };
  }

  test('sends a large file on disk completely, twice on the same connection', async () => {
    const { app } = serve(diskFile());
    for (let download = 0; download < 2; download += 1) {
      const response = await ask(app);
      assert.equal(response.headers['content-length'], `${size}`);
      assert.ok((await buffer(response)).equals(Buffer.alloc(size, 'abcdefghij')));
    }
    await app.close();
  });

  test('answers HEAD with the headers of GET and leaves the connection usable', async () => {
    const { app } = serve(diskFile());
    const head = await ask(app, { method: 'HEAD' });
    assert.equal((await buffer(head)).byteLength, 0);
    const got = await ask(app);
    await buffer(got);
    assert.deepEqual(withoutTransport(head.headers), withoutTransport(got.headers));
    await app.close();
  });

  test('closes the file when the client disconnects', async () => {
    const file = diskFile();
    const { app, logged } = serve(file);
    const response = await ask(app);
    await once(response, 'data');
    response.destroy();
    await waitUntil('the file is closed', () => file.streams[0]?.closed === true);
    await app.close();
    assert.deepEqual(
      logged.filter(({ level }) => level >= 40),
      [],
    );
  });

  test('closes the file when the client disconnects while the file is being opened', async () => {
    const file = diskFile();
    const [opening, mayOpen, gone] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const slow: DownloadableFile = {
      ...file,
      open: async (range) => {
        opening.resolve();
        await mayOpen.promise;
        return file.open(range);
      },
    };
    const { app } = serve(slow);
    app.server.once('connection', (socket) => socket.once('close', () => gone.resolve()));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo; // the address of a TCP server is always an object
    const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/f' }).end();
    outgoing.on('error', () => undefined);
    await opening.promise;
    outgoing.destroy();
    await gone.promise;
    mayOpen.resolve();
    await waitUntil('the file is closed', () => file.streams[0]?.closed === true);
    await app.close();
  });

  test('an error of the source after the first bytes closes the connection and is logged once', async () => {
    const file = failing(LARGE.byteLength, LARGE.byteLength - 1, new Error('the disk is gone'));
    const { app, logged } = serve(file);
    const response = await ask(app);
    file.finish();
    await assert.rejects(buffer(response), { code: 'ECONNRESET' });
    await waitUntil('the error is logged', () => logged.some(({ level }) => level >= 40));
    await app.close();
    assert.equal(logged.filter(({ level }) => level >= 40).length, 1);
  });

  for (const [amount, given] of [
    ['fewer', LARGE.byteLength - 1],
    ['more', LARGE.byteLength + 1],
  ] as const) {
    test(`a source that gives ${amount} bytes than announced is an error`, async () => {
      const file = failing(LARGE.byteLength, given);
      file.finish();
      const { app, logged } = serve(file);
      const response = await ask(app, { agent: false });
      const body = await buffer(response).catch((error: NodeJS.ErrnoException) => error.code);
      // With too many bytes, the client gets all that it expects. With too few, the connection breaks.
      if (given < LARGE.byteLength) assert.equal(body, 'ECONNRESET');
      await waitUntil('the error is logged', () => logged.some(({ level }) => level >= 40));
      await app.close();
    });
  }

  test('an error of the source before the first byte leads to a response without headers of the file', async () => {
    const file = failing(LARGE.byteLength, 0, new Error('the disk is gone'));
    file.finish();
    const { app } = serve(file);
    const response = await ask(app);
    assert.equal(response.statusCode, 500);
    assert.match(String(await buffer(response)), /the disk is gone/);
    for (const name of ['etag', 'content-disposition', 'last-modified', 'accept-ranges']) {
      assert.equal(response.headers[name], undefined, name);
    }
    await app.close();
  });

  test('a file that cannot be opened or read leads to a response without headers of the file', async () => {
    const broken = () => Promise.reject(new Error('out of reach'));
    for (const bytes of [SMALL, LARGE]) {
      const file = Object.assign(new MemoryFile(bytes), { open: broken, read: broken });
      const response = await serve(file).app.inject('/f');
      assert.equal(response.statusCode, 500);
      assert.equal(response.headers.etag, undefined);
      assert.equal(response.headers['content-disposition'], undefined);
    }
  });

  test('a small file that is shorter than announced is an error', async () => {
    const { app } = serve(new MemoryFile(SMALL, { size: 11 }));
    assert.equal((await app.inject('/f')).statusCode, 500);
  });
});

/** A file of `size` bytes. Its stream yields `given` bytes, then ends or fails once `finish` is called. */
function failing(size: number, given: number, error?: Error): DownloadableFile & { finish(): void } {
  const gate = Promise.withResolvers<void>();
  async function* bytes() {
    if (given > 0) yield Buffer.alloc(given);
    await gate.promise;
    if (error !== undefined) throw error;
  }
  return Object.assign(new MemoryFile(LARGE, { size }), {
    open: async () => Readable.from(bytes(), { objectMode: false }),
    finish: gate.resolve,
  });
}

describe('generated streams', () => {
  function streamOf(chunks: (range: ByteRange) => AsyncIterable<Uint8Array>, size: number, etag?: string) {
    const signals: AbortSignal[] = [];
    const stream: DownloadableStream = {
      ...{ name: 'photos.zip', contentType: 'application/zip', size, etag },
      open: (range, signal) => {
        signals.push(signal);
        return chunks(range);
      },
    };
    return { stream, signals };
  }

  async function* twoChunks() {
    yield Buffer.from('first ');
    yield Buffer.from('second');
  }

  async function* partOfTwelve({ start, end }: ByteRange) {
    yield Buffer.from('first second').subarray(start, end + 1);
  }

  test('have ranges and conditions if they have an etag', async () => {
    const { stream } = streamOf(partOfTwelve, 12, 'tag');
    const { app } = serveStream(stream);
    const part = await ask(app, { headers: { range: 'bytes=6-' } });
    assert.equal(String(await buffer(part)), 'second');
    assert.equal(part.statusCode, 206);
    assert.deepEqual(withoutTransport(part.headers), {
      'content-type': 'application/zip',
      'content-length': '6',
      'content-range': 'bytes 6-11/12',
      'content-disposition': `attachment; filename="photos.zip"; filename*=UTF-8''photos.zip`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache, no-transform',
      etag: '"tag"',
      'accept-ranges': 'bytes',
    });
    const statusOf = async (headers: Record<string, string>) => {
      const response = await ask(app, { headers });
      response.resume();
      return response.statusCode;
    };
    assert.equal(await statusOf({}), 200);
    assert.equal(await statusOf({ range: 'bytes=12-' }), 416);
    assert.equal(await statusOf({ 'if-none-match': '"tag"' }), 304);
    assert.equal(await statusOf({ 'if-match': '"another"' }), 412);
    assert.equal(await statusOf({ range: 'bytes=6-', 'if-range': '"tag"' }), 206);
    assert.equal(await statusOf({ range: 'bytes=6-', 'if-range': '"another"' }), 200);
    // Generated bytes have no date, so conditions on the date do not apply.
    const date = new Date(0).toUTCString();
    assert.equal(await statusOf({ range: 'bytes=6-', 'if-range': date }), 200);
    assert.equal(await statusOf({ 'if-modified-since': date, 'if-unmodified-since': date }), 200);
    await app.close();
  });

  test('have a length and no ranges without one', async () => {
    const { stream, signals } = streamOf(twoChunks, 12);
    const { app } = serveStream(stream);
    const response = await ask(app, { headers: { range: 'bytes=0-2' } });
    assert.equal(String(await buffer(response)), 'first second');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(withoutTransport(response.headers), {
      'content-type': 'application/zip',
      'content-length': '12',
      'content-disposition': `attachment; filename="photos.zip"; filename*=UTF-8''photos.zip`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache, no-transform',
      'accept-ranges': 'none',
    });
    await waitUntil('the signal aborts', () => signals[0]?.aborted === true);
    await app.close();
  });

  test('have the same headers for HEAD, which opens nothing', async () => {
    const { stream, signals } = streamOf(twoChunks, 12);
    const { app } = serveStream(stream);
    const got = await app.inject('/f');
    const head = await app.inject({ method: 'HEAD', url: '/f' });
    assert.deepEqual(withoutTransport(head.headers), withoutTransport(got.headers));
    assert.deepEqual([head.statusCode, head.body, signals.length], [200, '', 1]);
  });

  test('end when the client disconnects', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        ended = true;
      }
    }
    const { stream, signals } = streamOf(endless, 2 ** 40);
    const { app } = serveStream(stream);
    const response = await ask(app);
    await once(response, 'data');
    response.destroy();
    await waitUntil('the stream ends', () => ended && signals[0]?.aborted === true);
    await app.close();
  });

  test('close the connection when they fail after the first bytes', async () => {
    const received = Promise.withResolvers<void>();
    async function* broken() {
      yield Buffer.from('first ');
      await received.promise;
      throw new Error('a file is gone');
    }
    const { app } = serveStream(streamOf(broken, 12).stream);
    const response = await ask(app);
    received.resolve();
    await assert.rejects(buffer(response), { code: 'ECONNRESET' });
    await app.close();
  });

  test('close the connection when they end before the announced length', async () => {
    const { app } = serveStream(streamOf(twoChunks, 13).stream);
    const body = ask(app).then(buffer);
    await assert.rejects(body, { code: 'ECONNRESET' });
    await app.close();
  });
});
