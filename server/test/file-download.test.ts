import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import type { ByteRange } from '../src/base/byte-range.ts';
import {
  type DownloadableFile,
  type DownloadableStream,
  type DownloadOptions,
  MAX_READ_BYTES,
  sendFile,
  sendStream,
} from '../src/http/file-download.ts';

const MODIFIED_AT = Date.parse('2026-03-01T10:20:30.456Z');
const MODIFIED = 'Sun, 01 Mar 2026 10:20:30 GMT';
const EARLIER = 'Sun, 01 Mar 2026 10:20:29 GMT';
const LATER = 'Sun, 01 Mar 2026 10:20:31 GMT';

const SMALL = Buffer.from('0123456789');
const LARGE = Buffer.alloc(MAX_READ_BYTES + 70_000, 'The quick brown fox jumps over the lazy dog. ');

/** A file in memory that remembers how it was used. */
class MemoryFile implements DownloadableFile {
  readonly name: string = 'notes.txt';
  readonly contentType: string | null = 'text/plain';
  readonly etag = 'v1';
  readonly modifiedAt = MODIFIED_AT;
  readonly size: number;
  readonly opened: Readable[] = [];
  reads = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer, changes: Partial<Pick<DownloadableFile, 'name' | 'contentType' | 'size'>> = {}) {
    this.bytes = bytes;
    this.size = changes.size ?? bytes.byteLength;
    if (changes.name !== undefined) this.name = changes.name;
    if (changes.contentType !== undefined) this.contentType = changes.contentType;
  }

  async open(range: ByteRange): Promise<Readable> {
    const slices = slicesOf(this.bytes.subarray(range.start, range.end + 1), 16_384);
    const stream = Readable.from(slices, { objectMode: false });
    this.opened.push(stream);
    return stream;
  }

  async read(range: ByteRange): Promise<Buffer> {
    this.reads += 1;
    return this.bytes.subarray(range.start, range.end + 1);
  }
}

function* slicesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

interface Fixture {
  readonly app: FastifyInstance;
  readonly logged: { readonly level: number; readonly msg: string }[];
}

function serve(file: DownloadableFile, options?: DownloadOptions): Fixture {
  return serveWith((app) => app.get('/f', (request, reply) => sendFile(request, reply, file, options)));
}

function serveStream(stream: DownloadableStream): Fixture {
  return serveWith((app) => app.get('/f', (request, reply) => sendStream(request, reply, stream)));
}

function serveWith(mount: (app: FastifyInstance) => unknown): Fixture {
  const logged: Fixture['logged'] = [];
  const app = fastify({
    logger: { level: 'info', stream: { write: (line) => logged.push(JSON.parse(line)) } },
  });
  mount(app);
  return { app, logged };
}

/** Sends a request over a real socket and hands over the answer with its body still to come. */
async function ask(app: FastifyInstance, options: RequestOptions = {}): Promise<IncomingMessage> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // a TCP server has no other kind of address
  const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/f', ...options }).end();
  const [answer] = await once(outgoing, 'response');
  return answer;
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(); turn += 1) await sleep(5);
  assert.ok(condition(), 'what was waited for did not come');
}

interface Case {
  readonly says: string;
  readonly method?: 'GET' | 'HEAD';
  readonly headers: Record<string, string>;
  readonly status: number;
  readonly body: string;
  readonly contentRange?: string;
}

const whole = { status: 200, body: '0123456789' };
const unchanged = { status: 304, body: '' };
const refused = { status: 412, body: '' };
const part = (start: number, end: number) => ({
  status: 206,
  body: '0123456789'.slice(start, end + 1),
  contentRange: `bytes ${start}-${end}/10`,
});
const unsatisfiable = { status: 416, body: '', contentRange: 'bytes */10' };

const cases: readonly Case[] = [
  { says: 'a plain GET gets the whole file', headers: {}, ...whole },
  { says: 'a range gets its part', headers: { range: 'bytes=2-4' }, ...part(2, 4) },
  { says: 'an open-ended range goes to the end', headers: { range: 'bytes=7-' }, ...part(7, 9) },
  { says: 'a suffix range counts from the end', headers: { range: 'bytes=-2' }, ...part(8, 9) },
  {
    says: 'a suffix longer than the file is the whole file as a part',
    headers: { range: 'bytes=-99' },
    ...part(0, 9),
  },
  { says: 'a range that ends behind the end is cut', headers: { range: 'bytes=5-99' }, ...part(5, 9) },
  { says: 'a range behind the end is refused', headers: { range: 'bytes=10-' }, ...unsatisfiable },
  { says: 'an empty suffix is refused', headers: { range: 'bytes=-0' }, ...unsatisfiable },
  { says: 'several ranges get the whole file', headers: { range: 'bytes=0-1,4-5' }, ...whole },
  { says: 'a malformed range is ignored', headers: { range: 'bytes=5-2' }, ...whole },
  { says: 'a range of another unit is ignored', headers: { range: 'pages=1-2' }, ...whole },
  {
    says: 'a range in a HEAD is ignored',
    method: 'HEAD',
    headers: { range: 'bytes=2-4' },
    status: 200,
    body: '',
  },

  {
    says: 'If-Range with our tag gets the part',
    headers: { range: 'bytes=2-4', 'if-range': '"v1"' },
    ...part(2, 4),
  },
  {
    says: 'If-Range with another tag gets everything',
    headers: { range: 'bytes=2-4', 'if-range': '"v0"' },
    ...whole,
  },
  {
    says: 'If-Range with a weak tag gets everything',
    headers: { range: 'bytes=2-4', 'if-range': 'W/"v1"' },
    ...whole,
  },
  {
    says: 'If-Range with our date gets the part',
    headers: { range: 'bytes=2-4', 'if-range': MODIFIED },
    ...part(2, 4),
  },
  {
    says: 'If-Range with a later date gets everything',
    headers: { range: 'bytes=2-4', 'if-range': LATER },
    ...whole,
  },
  {
    says: 'If-Range with nonsense gets everything',
    headers: { range: 'bytes=2-4', 'if-range': '2027' },
    ...whole,
  },
  {
    says: 'If-Range with another tag keeps a bad range from being refused',
    headers: { range: 'bytes=10-', 'if-range': '"v0"' },
    ...whole,
  },

  { says: 'If-None-Match with our tag: not modified', headers: { 'if-none-match': '"v1"' }, ...unchanged },
  { says: 'If-None-Match compares weakly', headers: { 'if-none-match': 'W/"v1"' }, ...unchanged },
  { says: 'If-None-Match takes a list', headers: { 'if-none-match': '"a,b" , W/"c","v1"' }, ...unchanged },
  { says: 'If-None-Match takes a star', headers: { 'if-none-match': ' * ' }, ...unchanged },
  {
    says: 'If-None-Match with other tags gets the file',
    headers: { 'if-none-match': '"v0", "v11"' },
    ...whole,
  },
  {
    says: 'If-None-Match with a tag without quotes gets the file',
    headers: { 'if-none-match': 'v1' },
    ...whole,
  },
  {
    says: 'If-None-Match comes before a range',
    headers: { 'if-none-match': '"v1"', range: 'bytes=2-4' },
    ...unchanged,
  },
  {
    says: 'If-None-Match answers a HEAD too',
    method: 'HEAD',
    headers: { 'if-none-match': '"v1"' },
    ...unchanged,
  },

  {
    says: 'If-Modified-Since with our date: not modified',
    headers: { 'if-modified-since': MODIFIED },
    ...unchanged,
  },
  {
    says: 'If-Modified-Since with a later date: not modified',
    headers: { 'if-modified-since': LATER },
    ...unchanged,
  },
  {
    says: 'If-Modified-Since with an earlier date gets the file',
    headers: { 'if-modified-since': EARLIER },
    ...whole,
  },
  {
    says: 'If-Modified-Since in the old long form',
    headers: { 'if-modified-since': 'Sunday, 01-Mar-26 10:20:30 GMT' },
    ...unchanged,
  },
  {
    says: 'If-Modified-Since in the asctime form',
    headers: { 'if-modified-since': 'Sun Mar  1 10:20:30 2026' },
    ...unchanged,
  },
  {
    says: 'If-Modified-Since with an earlier asctime',
    headers: { 'if-modified-since': 'Sun Mar  1 10:20:29 2026' },
    ...whole,
  },
  {
    says: 'If-Modified-Since that is no HTTP date is ignored',
    headers: { 'if-modified-since': '2030-01-01' },
    ...whole,
  },
  {
    says: 'If-Modified-Since yields to If-None-Match',
    headers: { 'if-modified-since': LATER, 'if-none-match': '"v0"' },
    ...whole,
  },

  { says: 'If-Match with our tag gets the file', headers: { 'if-match': '"v0", "v1"' }, ...whole },
  { says: 'If-Match with a star gets the file', headers: { 'if-match': '*' }, ...whole },
  { says: 'If-Match with another tag fails', headers: { 'if-match': '"v0"' }, ...refused },
  { says: 'If-Match compares strongly', headers: { 'if-match': 'W/"v1"' }, ...refused },
  { says: 'If-Match fails a HEAD too', method: 'HEAD', headers: { 'if-match': '"v0"' }, ...refused },
  {
    says: 'If-Match comes before If-None-Match',
    headers: { 'if-match': '"v0"', 'if-none-match': '"v1"' },
    ...refused,
  },
  {
    says: 'If-Unmodified-Since with our date gets the file',
    headers: { 'if-unmodified-since': MODIFIED },
    ...whole,
  },
  {
    says: 'If-Unmodified-Since with an earlier date fails',
    headers: { 'if-unmodified-since': EARLIER },
    ...refused,
  },
  {
    says: 'If-Unmodified-Since yields to If-Match',
    headers: { 'if-unmodified-since': EARLIER, 'if-match': '"v1"' },
    ...whole,
  },
];

describe('preconditions and ranges', () => {
  const { app } = serve(new MemoryFile(SMALL));
  after(() => app.close());

  for (const { says, method = 'GET', headers, status, body, contentRange } of cases) {
    test(says, async () => {
      const answer = await app.inject({ method, url: '/f', headers });
      assert.equal(answer.statusCode, status);
      assert.equal(answer.body, body);
      assert.equal(answer.headers['content-range'], contentRange);
      if (method === 'GET' && status !== 304)
        assert.equal(answer.headers['content-length'], `${body.length}`);
      if (status === 304) assert.equal(answer.headers['content-length'], undefined);
      if (status < 400) assert.equal(answer.headers.etag, '"v1"');
    });
  }

  test('every answer but those of a range is the same for HEAD, without a body', async () => {
    for (const { headers } of cases) {
      const { range: _, ...kept } = headers;
      const got = await app.inject({ method: 'GET', url: '/f', headers: kept });
      const head = await app.inject({ method: 'HEAD', url: '/f', headers: kept });
      assert.equal(head.statusCode, got.statusCode);
      assert.equal(head.body, '');
      assert.deepEqual(withoutTransport(head.headers), withoutTransport(got.headers));
    }
  });
});

function withoutTransport(headers: object): object {
  const kept: Record<string, unknown> = { ...headers };
  for (const name of ['date', 'connection', 'keep-alive']) delete kept[name];
  return kept;
}

describe('what a download says of itself', () => {
  const full = {
    'content-type': 'text/plain',
    'content-length': '10',
    'content-disposition': `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    etag: '"v1"',
    'last-modified': MODIFIED,
    'accept-ranges': 'bytes',
  };

  test('all that a client and a browser must know', async () => {
    const { app } = serve(new MemoryFile(SMALL));
    const answer = await app.inject('/f');
    assert.deepEqual(withoutTransport(answer.headers), full);
  });

  test('a part says the same of its file', async () => {
    const { app } = serve(new MemoryFile(SMALL));
    const answer = await app.inject({ url: '/f', headers: { range: 'bytes=0-3' } });
    const expected = { ...full, 'content-length': '4', 'content-range': 'bytes 0-3/10' };
    assert.deepEqual(withoutTransport(answer.headers), expected);
  });

  test('the route may say how long it is kept', async () => {
    const { app } = serve(new MemoryFile(SMALL), { cacheControl: 'public, max-age=60' });
    for (const headers of [{}, { 'if-none-match': '"v1"' }]) {
      const answer = await app.inject({ url: '/f', headers });
      assert.equal(answer.headers['cache-control'], 'public, max-age=60');
    }
  });

  for (const contentType of [null, '', 'nonsense', 'text/html\r\nx-evil: 1', `a/${'b'.repeat(200)}`]) {
    test(`the stored type ${JSON.stringify(contentType)?.slice(0, 30)} leaves as octets`, async () => {
      const { app } = serve(new MemoryFile(SMALL, { contentType }));
      assert.equal((await app.inject('/f')).headers['content-type'], 'application/octet-stream');
    });
  }

  test('JSON is sent as it was stored, small and large', async () => {
    for (const bytes of [Buffer.from('{"a": 1}'), Buffer.from(JSON.stringify('x'.repeat(200_000)))]) {
      const { app } = serve(new MemoryFile(bytes, { contentType: 'application/json' }));
      const answer = await app.inject('/f');
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.ok(answer.rawPayload.equals(bytes));
    }
  });
});

describe('how the bytes are fetched', () => {
  test('a small file is read and never opened', async () => {
    const file = new MemoryFile(SMALL);
    await serve(file).app.inject('/f');
    assert.deepEqual([file.reads, file.opened.length], [1, 0]);
  });

  test('a large file is streamed, and its stream is closed at the end', async () => {
    const file = new MemoryFile(LARGE);
    const answer = await serve(file).app.inject('/f');
    assert.ok(answer.rawPayload.equals(LARGE));
    assert.deepEqual([file.reads, file.opened.length, file.opened[0]?.destroyed], [0, 1, true]);
  });

  test('a small part of a large file is read', async () => {
    const file = new MemoryFile(LARGE);
    const answer = await serve(file).app.inject({ url: '/f', headers: { range: 'bytes=1000-1009' } });
    assert.ok(answer.rawPayload.equals(LARGE.subarray(1_000, 1_010)));
    assert.deepEqual([file.reads, file.opened.length], [1, 0]);
  });

  test('HEAD, 304, 412 and 416 touch no bytes', async () => {
    for (const bytes of [SMALL, LARGE]) {
      const file = new MemoryFile(bytes);
      const { app } = serve(file);
      const head = await app.inject({ method: 'HEAD', url: '/f' });
      assert.equal(head.headers['content-length'], `${bytes.byteLength}`);
      await app.inject({ url: '/f', headers: { 'if-none-match': '"v1"' } });
      await app.inject({ url: '/f', headers: { 'if-match': '"v0"' } });
      await app.inject({ url: '/f', headers: { range: 'bytes=9999999-' } });
      assert.deepEqual([file.reads, file.opened.length], [0, 0]);
    }
  });

  test('an empty file is an empty answer, with and without a range', async () => {
    const file = new MemoryFile(Buffer.alloc(0));
    const { app } = serve(file);
    for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=-5' }]) {
      const answer = await app.inject({ url: '/f', headers });
      assert.deepEqual([answer.statusCode, answer.headers['content-length'], answer.body], [200, '0', '']);
    }
    assert.deepEqual([file.reads, file.opened.length], [0, 0]);
  });

  test('any range inside a file returns exactly that slice', async () => {
    const ranged = fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.boolean(), fc.nat(), fc.nat())
      .map(([bytes, isLarge, a, b]) => {
        const content = isLarge ? Buffer.concat([bytes, LARGE, bytes]) : Buffer.from(bytes);
        const [start = 0, end = 0] = [a % content.byteLength, b % content.byteLength].sort((x, y) => x - y);
        return { content, start, end };
      });
    await fc.assert(
      fc.asyncProperty(ranged, async ({ content, start, end }) => {
        const { app } = serve(new MemoryFile(content));
        const answer = await app.inject({ url: '/f', headers: { range: `bytes=${start}-${end}` } });
        assert.equal(answer.statusCode, 206);
        assert.equal(answer.headers['content-range'], `bytes ${start}-${end}/${content.byteLength}`);
        assert.ok(answer.rawPayload.equals(content.subarray(start, end + 1)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('over a socket', () => {
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
      read: () => Promise.reject(new Error('too large to be read at once')),
    };
  }

  test('a large file on disk arrives whole, and again on the same connection', async () => {
    const { app } = serve(diskFile());
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await ask(app);
      assert.equal(answer.headers['content-length'], `${size}`);
      assert.ok((await buffer(answer)).equals(Buffer.alloc(size, 'abcdefghij')));
    }
    await app.close();
  });

  test('HEAD over a socket has the headers of GET and leaves the connection usable', async () => {
    const { app } = serve(diskFile());
    const head = await ask(app, { method: 'HEAD' });
    assert.equal((await buffer(head)).byteLength, 0);
    const got = await ask(app);
    await buffer(got);
    assert.deepEqual(withoutTransport(head.headers), withoutTransport(got.headers));
    await app.close();
  });

  test('a client that leaves closes the file', async () => {
    const file = diskFile();
    const { app, logged } = serve(file);
    const answer = await ask(app);
    await once(answer, 'data');
    answer.destroy();
    await until(() => file.streams[0]?.closed === true);
    await sleep(20);
    assert.deepEqual(
      logged.filter(({ level }) => level >= 40),
      [],
    );
    await app.close();
  });

  test('a client that leaves before the file is open closes the file as well', async () => {
    const file = diskFile();
    let begun = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow: DownloadableFile = {
      ...file,
      open: async (range) => {
        begun();
        await sleep(50);
        return file.open(range);
      },
    };
    const { app } = serve(slow);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo; // a TCP server has no other kind of address
    const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/f' }).end();
    outgoing.on('error', () => undefined);
    await asked;
    outgoing.destroy();
    await until(() => file.streams[0]?.closed === true);
    await app.close();
  });

  test('a source that fails midway cuts the connection and is logged once', async () => {
    const { app, logged } = serve(
      failing(LARGE.byteLength, LARGE.byteLength - 1, new Error('the disk is gone')),
    );
    await assert.rejects(buffer(await ask(app)), { code: 'ECONNRESET' });
    await until(() => logged.some(({ level }) => level >= 40));
    await sleep(20);
    assert.equal(logged.filter(({ level }) => level >= 40).length, 1);
    await app.close();
  });

  for (const [says, given] of [
    ['fewer', LARGE.byteLength - 1],
    ['more', LARGE.byteLength + 1],
  ] as const) {
    test(`a source that gives ${says} bytes than stored is never taken for the file`, async () => {
      const { app, logged } = serve(failing(LARGE.byteLength, given));
      const answer = await ask(app, { agent: false });
      const body = await buffer(answer).catch((error: NodeJS.ErrnoException) => error.code);
      // What is too much comes too late to be seen by the client: it has its bytes. What is too little is seen.
      if (given < LARGE.byteLength) assert.equal(body, 'ECONNRESET');
      await until(() => logged.some(({ level }) => level >= 40));
      await app.close();
    });
  }

  test('a source that fails before its first byte is answered with an error that does not look like the file', async () => {
    const { app } = serve(failing(LARGE.byteLength, 0, new Error('the disk is gone')));
    const answer = await ask(app);
    assert.equal(answer.statusCode, 500);
    assert.match(String(await buffer(answer)), /the disk is gone/);
    for (const name of ['etag', 'content-disposition', 'last-modified', 'accept-ranges']) {
      assert.equal(answer.headers[name], undefined, name);
    }
    await app.close();
  });

  test('a file that cannot be opened or read is answered with an error that does not look like the file', async () => {
    const broken = () => Promise.reject(new Error('out of reach'));
    for (const bytes of [SMALL, LARGE]) {
      const file = Object.assign(new MemoryFile(bytes), { open: broken, read: broken });
      const answer = await serve(file).app.inject('/f');
      assert.equal(answer.statusCode, 500);
      assert.equal(answer.headers.etag, undefined);
      assert.equal(answer.headers['content-disposition'], undefined);
    }
  });

  test('a small file that is shorter than stored is an error', async () => {
    const { app } = serve(new MemoryFile(SMALL, { size: 11 }));
    assert.equal((await app.inject('/f')).statusCode, 500);
  });
});

/** A file of `size` bytes whose stream gives `given` of them and then ends or fails. */
function failing(size: number, given: number, error?: Error): DownloadableFile {
  async function* bytes() {
    if (given > 0) yield Buffer.alloc(given);
    await sleep(20);
    if (error !== undefined) throw error;
  }
  return Object.assign(new MemoryFile(LARGE, { size }), {
    open: async () => Readable.from(bytes(), { objectMode: false }),
  });
}

describe('streams that are made on the way', () => {
  function streamOf(chunks: () => AsyncIterable<Uint8Array>, length: number) {
    const signals: AbortSignal[] = [];
    const stream: DownloadableStream = {
      ...{ name: 'photos.zip', contentType: 'application/zip', length },
      open: (signal) => {
        signals.push(signal);
        return chunks();
      },
    };
    return { stream, signals };
  }

  async function* twoChunks() {
    yield Buffer.from('first ');
    yield Buffer.from('second');
  }

  test('it arrives with its length and without ranges', async () => {
    const { stream, signals } = streamOf(twoChunks, 12);
    const { app } = serveStream(stream);
    const answer = await ask(app, { headers: { range: 'bytes=0-2' } });
    assert.equal(String(await buffer(answer)), 'first second');
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(withoutTransport(answer.headers), {
      'content-type': 'application/zip',
      'content-length': '12',
      'content-disposition': `attachment; filename="photos.zip"; filename*=UTF-8''photos.zip`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      'accept-ranges': 'none',
    });
    await until(() => signals[0]?.aborted === true);
    await app.close();
  });

  test('HEAD tells the same and begins nothing', async () => {
    const { stream, signals } = streamOf(twoChunks, 12);
    const { app } = serveStream(stream);
    const got = await app.inject('/f');
    const head = await app.inject({ method: 'HEAD', url: '/f' });
    assert.deepEqual(withoutTransport(head.headers), withoutTransport(got.headers));
    assert.deepEqual([head.statusCode, head.body, signals.length], [200, '', 1]);
  });

  test('a client that leaves ends the making', async () => {
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
    const answer = await ask(app);
    await once(answer, 'data');
    answer.destroy();
    await until(() => ended && signals[0]?.aborted === true);
    await app.close();
  });

  test('a maker that fails midway cuts the connection', async () => {
    async function* broken() {
      yield Buffer.from('first ');
      await sleep(20);
      throw new Error('a file is gone');
    }
    const { app } = serveStream(streamOf(broken, 12).stream);
    await assert.rejects(buffer(await ask(app)), { code: 'ECONNRESET' });
    await app.close();
  });

  test('a maker that announced more than it makes cuts the connection', async () => {
    const { app } = serveStream(streamOf(twoChunks, 13).stream);
    const body = ask(app).then(buffer);
    await assert.rejects(body, { code: 'ECONNRESET' });
    await app.close();
  });
});
