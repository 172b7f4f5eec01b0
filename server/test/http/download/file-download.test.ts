// tier: default
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import {
  EARLIER,
  LARGE,
  LATER,
  MemoryFile,
  MODIFIED,
  SMALL,
  serve,
  withoutTransport,
} from '../../support/http/download-fixture.ts';

interface Case {
  readonly name: string;
  readonly method?: 'GET' | 'HEAD';
  readonly headers: Record<string, string>;
  readonly status: number;
  readonly body: string;
  readonly contentRange?: string;
}

const whole = { status: 200, body: '0123456789' };
const unchanged = { status: 304, body: '' };
const failed = { status: 412, body: '' };
const part = (start: number, end: number) => ({
  status: 206,
  body: '0123456789'.slice(start, end + 1),
  contentRange: `bytes ${start}-${end}/10`,
});
const unsatisfiable = { status: 416, body: '', contentRange: 'bytes */10' };

const cases: readonly Case[] = [
  { name: 'a plain GET gets the whole file', headers: {}, ...whole },
  { name: 'a range gets its part', headers: { range: 'bytes=2-4' }, ...part(2, 4) },
  { name: 'an open-ended range goes to the end', headers: { range: 'bytes=7-' }, ...part(7, 9) },
  { name: 'a suffix range counts from the end', headers: { range: 'bytes=-2' }, ...part(8, 9) },
  {
    name: 'a suffix longer than the file is the whole file as a part',
    headers: { range: 'bytes=-99' },
    ...part(0, 9),
  },
  {
    name: 'a range that ends after the end of the file is shortened',
    headers: { range: 'bytes=5-99' },
    ...part(5, 9),
  },
  { name: 'a range after the end is not satisfiable', headers: { range: 'bytes=10-' }, ...unsatisfiable },
  { name: 'an empty suffix is not satisfiable', headers: { range: 'bytes=-0' }, ...unsatisfiable },
  { name: 'several ranges get the whole file', headers: { range: 'bytes=0-1,4-5' }, ...whole },
  { name: 'a malformed range is ignored', headers: { range: 'bytes=5-2' }, ...whole },
  { name: 'a range of another unit is ignored', headers: { range: 'pages=1-2' }, ...whole },
  {
    name: 'a range in a HEAD request is ignored',
    method: 'HEAD',
    headers: { range: 'bytes=2-4' },
    status: 200,
    body: '',
  },

  {
    name: 'If-Range with the current tag gets the part',
    headers: { range: 'bytes=2-4', 'if-range': '"v1"' },
    ...part(2, 4),
  },
  {
    name: 'If-Range with another tag gets the whole file',
    headers: { range: 'bytes=2-4', 'if-range': '"v0"' },
    ...whole,
  },
  {
    name: 'If-Range with a weak tag gets the whole file',
    headers: { range: 'bytes=2-4', 'if-range': 'W/"v1"' },
    ...whole,
  },
  {
    name: 'If-Range with the current date gets the part',
    headers: { range: 'bytes=2-4', 'if-range': MODIFIED },
    ...part(2, 4),
  },
  {
    name: 'If-Range with a later date gets the whole file',
    headers: { range: 'bytes=2-4', 'if-range': LATER },
    ...whole,
  },
  {
    name: 'If-Range with an invalid value gets the whole file',
    headers: { range: 'bytes=2-4', 'if-range': '2027' },
    ...whole,
  },
  {
    name: 'If-Range with another tag makes an unsatisfiable range be ignored',
    headers: { range: 'bytes=10-', 'if-range': '"v0"' },
    ...whole,
  },

  {
    name: 'If-None-Match with the current tag: not modified',
    headers: { 'if-none-match': '"v1"' },
    ...unchanged,
  },
  { name: 'If-None-Match compares weakly', headers: { 'if-none-match': 'W/"v1"' }, ...unchanged },
  { name: 'If-None-Match accepts a list', headers: { 'if-none-match': '"a,b" , W/"c","v1"' }, ...unchanged },
  { name: 'If-None-Match accepts a star', headers: { 'if-none-match': ' * ' }, ...unchanged },
  {
    name: 'If-None-Match with other tags gets the file',
    headers: { 'if-none-match': '"v0", "v11"' },
    ...whole,
  },
  {
    name: 'If-None-Match with a tag without quotes gets the file',
    headers: { 'if-none-match': 'v1' },
    ...whole,
  },
  {
    name: 'If-None-Match takes precedence over a range',
    headers: { 'if-none-match': '"v1"', range: 'bytes=2-4' },
    ...unchanged,
  },
  {
    name: 'If-None-Match applies to HEAD as well',
    method: 'HEAD',
    headers: { 'if-none-match': '"v1"' },
    ...unchanged,
  },

  {
    name: 'If-Modified-Since with the current date: not modified',
    headers: { 'if-modified-since': MODIFIED },
    ...unchanged,
  },
  {
    name: 'If-Modified-Since with a later date: not modified',
    headers: { 'if-modified-since': LATER },
    ...unchanged,
  },
  {
    name: 'If-Modified-Since with an earlier date gets the file',
    headers: { 'if-modified-since': EARLIER },
    ...whole,
  },
  {
    name: 'If-Modified-Since accepts the RFC 850 form',
    headers: { 'if-modified-since': 'Sunday, 01-Mar-26 10:20:30 GMT' },
    ...unchanged,
  },
  {
    name: 'If-Modified-Since accepts the asctime form',
    headers: { 'if-modified-since': 'Sun Mar  1 10:20:30 2026' },
    ...unchanged,
  },
  {
    name: 'If-Modified-Since with an earlier asctime date gets the file',
    headers: { 'if-modified-since': 'Sun Mar  1 10:20:29 2026' },
    ...whole,
  },
  {
    name: 'If-Modified-Since is ignored if it is not an HTTP date',
    headers: { 'if-modified-since': '2030-01-01' },
    ...whole,
  },
  {
    name: 'If-None-Match takes precedence over If-Modified-Since',
    headers: { 'if-modified-since': LATER, 'if-none-match': '"v0"' },
    ...whole,
  },

  { name: 'If-Match with the current tag gets the file', headers: { 'if-match': '"v0", "v1"' }, ...whole },
  { name: 'If-Match with a star gets the file', headers: { 'if-match': '*' }, ...whole },
  { name: 'If-Match with another tag fails', headers: { 'if-match': '"v0"' }, ...failed },
  { name: 'If-Match compares strongly', headers: { 'if-match': 'W/"v1"' }, ...failed },
  { name: 'If-Match applies to HEAD as well', method: 'HEAD', headers: { 'if-match': '"v0"' }, ...failed },
  {
    name: 'If-Match takes precedence over If-None-Match',
    headers: { 'if-match': '"v0"', 'if-none-match': '"v1"' },
    ...failed,
  },
  {
    name: 'If-Unmodified-Since with the current date gets the file',
    headers: { 'if-unmodified-since': MODIFIED },
    ...whole,
  },
  {
    name: 'If-Unmodified-Since with an earlier date fails',
    headers: { 'if-unmodified-since': EARLIER },
    ...failed,
  },
  {
    name: 'If-Match takes precedence over If-Unmodified-Since',
    headers: { 'if-unmodified-since': EARLIER, 'if-match': '"v1"' },
    ...whole,
  },
];

describe('preconditions and ranges', () => {
  const { app } = serve(new MemoryFile(SMALL));
  after(() => app.close());

  for (const { name, method = 'GET', headers, status, body, contentRange } of cases) {
    test(name, async () => {
      const response = await app.inject({ method, url: '/f', headers });
      assert.equal(response.statusCode, status);
      assert.equal(response.body, body);
      assert.equal(response.headers['content-range'], contentRange);
      if (method === 'GET' && status !== 304)
        assert.equal(response.headers['content-length'], `${body.length}`);
      if (status === 304) assert.equal(response.headers['content-length'], undefined);
      if (status < 400) assert.equal(response.headers.etag, '"v1"');
    });
  }

  test('HEAD has the status and the headers of GET without a range, and no body', async () => {
    for (const { headers } of cases) {
      const { range: _, ...others } = headers;
      const got = await app.inject({ method: 'GET', url: '/f', headers: others });
      const head = await app.inject({ method: 'HEAD', url: '/f', headers: others });
      assert.equal(head.statusCode, got.statusCode);
      assert.equal(head.body, '');
      assert.deepEqual(withoutTransport(head.headers), withoutTransport(got.headers));
    }
  });
});

describe('the headers of a download', () => {
  const full = {
    'content-type': 'text/plain',
    'content-length': '10',
    'content-disposition': `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache, no-transform',
    etag: '"v1"',
    'last-modified': MODIFIED,
    'accept-ranges': 'bytes',
  };

  test('describe the file and tell browsers not to show it', async () => {
    const { app } = serve(new MemoryFile(SMALL));
    const response = await app.inject('/f');
    assert.deepEqual(withoutTransport(response.headers), full);
  });

  test('are the same for a part of the file, except for its length and range', async () => {
    const { app } = serve(new MemoryFile(SMALL));
    const response = await app.inject({ url: '/f', headers: { range: 'bytes=0-3' } });
    const expected = { ...full, 'content-length': '4', 'content-range': 'bytes 0-3/10' };
    assert.deepEqual(withoutTransport(response.headers), expected);
  });

  test('have the Cache-Control that the route sets', async () => {
    const { app } = serve(new MemoryFile(SMALL), { cacheControl: 'public, max-age=60' });
    for (const headers of [{}, { 'if-none-match': '"v1"' }]) {
      const response = await app.inject({ url: '/f', headers });
      assert.equal(response.headers['cache-control'], 'public, max-age=60');
    }
  });

  for (const contentType of [null, '', 'nonsense', 'text/html\r\nx-evil: 1', `a/${'b'.repeat(200)}`]) {
    test(`the stored type ${JSON.stringify(contentType)?.slice(0, 30)} is sent as application/octet-stream`, async () => {
      const { app } = serve(new MemoryFile(SMALL, { contentType }));
      assert.equal((await app.inject('/f')).headers['content-type'], 'application/octet-stream');
    });
  }

  test('JSON files are sent unchanged, small and large ones', async () => {
    for (const bytes of [Buffer.from('{"a": 1}'), Buffer.from(JSON.stringify('x'.repeat(200_000)))]) {
      const { app } = serve(new MemoryFile(bytes, { contentType: 'application/json' }));
      const response = await app.inject('/f');
      assert.equal(response.headers['content-type'], 'application/json');
      assert.ok(response.rawPayload.equals(bytes));
    }
  });
});

describe('the bytes of a download', () => {
  test('of a small file are read without a stream', async () => {
    const file = new MemoryFile(SMALL);
    await serve(file).app.inject('/f');
    assert.deepEqual([file.reads, file.opened.length], [1, 0]);
  });

  test('of a large file are streamed, and the stream is closed at the end', async () => {
    const file = new MemoryFile(LARGE);
    const response = await serve(file).app.inject('/f');
    assert.ok(response.rawPayload.equals(LARGE));
    assert.deepEqual([file.reads, file.opened.length, file.opened[0]?.destroyed], [0, 1, true]);
  });

  test('of a small part of a large file are read without a stream', async () => {
    const file = new MemoryFile(LARGE);
    const response = await serve(file).app.inject({ url: '/f', headers: { range: 'bytes=1000-1009' } });
    assert.ok(response.rawPayload.equals(LARGE.subarray(1_000, 1_010)));
    assert.deepEqual([file.reads, file.opened.length], [1, 0]);
  });

  test('are not read for HEAD, 304, 412 and 416', async () => {
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

  test('of an empty file are an empty body, with and without a range', async () => {
    const file = new MemoryFile(Buffer.alloc(0));
    const { app } = serve(file);
    for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=-5' }]) {
      const response = await app.inject({ url: '/f', headers });
      assert.deepEqual(
        [response.statusCode, response.headers['content-length'], response.body],
        [200, '0', ''],
      );
    }
    assert.deepEqual([file.reads, file.opened.length], [0, 0]);
  });

  test('of any range are exactly that slice of the file', async () => {
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
        const response = await app.inject({ url: '/f', headers: { range: `bytes=${start}-${end}` } });
        assert.equal(response.statusCode, 206);
        assert.equal(response.headers['content-range'], `bytes ${start}-${end}/${content.byteLength}`);
        assert.ok(response.rawPayload.equals(content.subarray(start, end + 1)));
      }),
      { numRuns: 60 },
    );
  });
});
