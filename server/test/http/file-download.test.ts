import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  EARLIER,
  LARGE,
  LATER,
  MemoryFile,
  MODIFIED,
  SMALL,
  serve,
  withoutTransport,
} from '../support/http/download-fixture.ts';

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
