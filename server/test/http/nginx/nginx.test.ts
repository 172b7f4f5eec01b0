// tier: default
// runs on: sqlite
// needs: nginx
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { frameFile } from '../../../../tools/multipart.ts';
import { findFreePorts } from '../../../../tools/processes/free-ports.ts';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { UrlSigner } from '../../../src/http/signed-url.ts';
import { listBuffered, startExampleNginx } from '../../support/app/behind-nginx.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, Person } from '../../support/app/person.ts';
import { listStoredFiles } from '../../support/drive/stored-files.ts';
import { EventReader } from '../../support/events/event-reader.ts';
import { type PeerSession, TRANSFERS } from '../../support/transfer/transfer.ts';

const MB = 1_000_000;
const MAX_UPLOAD_BYTES = 220 * MB;

const secret = randomBytes(24).toString('hex');
const port = await findFreePorts(1);
const holdall = await startHoldall({
  env: {
    HOLDALL_PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOLDALL_TRUST_PROXY: '127.0.0.1,::1',
    HOLDALL_ACCEL_REDIRECT: '/_objects/',
    HOLDALL_DOWNLOAD_SECRET: secret,
    HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
  },
});
const nginx = await startExampleNginx({
  port,
  upstreamPorts: [Number(new URL(holdall.url).port)],
  dataDir: holdall.dataDir,
});
const alice = await new Person('alice', nginx.url).register(await holdall.inviteCode());
const bytes = randomBytes(300_000);
const file = await alice.rename(await alice.upload('/fruit', bytes), 'Äpfel & "Birnen" 100%.bin');
const page = await alice.upload('/page.html', '<script>alert(1)</script>', 'text/html');
const NAME = "filename*=UTF-8''%C3%84pfel%20%26%20%22Birnen%22%20100%25.bin";

const signedUrlOf = async (entry: EntryRecord) =>
  new URL((await alice.ask<{ url: string }>('GET', `/api/files/download/${entry.id}/url`)).url);

const offeredUrls = new Map<number, string>();
async function offerOffline(entry: EntryRecord): Promise<string> {
  const existing = offeredUrls.get(entry.id);
  if (existing !== undefined) return existing;
  const { filename: name, size, contentType } = entry;
  const body = { mode: 'OFFLINE', files: [{ name, size, contentType }] };
  const { sessionId, files } = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
  const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}`;
  const headers = { 'content-type': 'application/octet-stream' };
  await alice.ask('POST', `${url}/content`, { body: await alice.download(entry), headers });
  offeredUrls.set(entry.id, `${url}/download`);
  return `${url}/download`;
}

/** Downloads whose bytes nginx sends itself. */
const downloads = [
  ['a download', async (entry: EntryRecord) => `/api/files/download/${entry.id}`],
  ['a signed URL', async (entry: EntryRecord) => (await signedUrlOf(entry)).href],
  ['an OFFLINE transfer', offerOffline],
] as const;

for (const [kind, urlOf] of downloads) {
  describe(kind, async () => {
    const fetchFile = async (headers: Record<string, string> = {}, method = 'GET', entry = file) =>
      alice.fetch(method, await urlOf(entry), { headers });

    test('is sent completely by nginx', async () => {
      const response = await fetchFile();
      assert.equal(response.status, 200);
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
      assert.equal(response.headers.get('x-accel-redirect'), null);
      assert.equal(response.headers.get('accept-ranges'), 'bytes');
      assert.equal(response.headers.get('content-length'), String(bytes.length));
    });

    test('supports ranges', async () => {
      for (const [range, start, end] of [
        ['bytes=0-0', 0, 0],
        ['bytes=100-299999', 100, 299_999],
        ['bytes=-10', 299_990, 299_999],
      ] as const) {
        const response = await fetchFile({ range });
        assert.equal(response.status, 206);
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/300000`);
        assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end + 1)));
      }
      const afterEnd = await fetchFile({ range: 'bytes=300000-' });
      assert.equal(afterEnd.status, 416);
      await afterEnd.arrayBuffer();
    });

    test('has the same headers for HEAD and GET', async () => {
      const [head, get] = [await fetchFile({}, 'HEAD'), await fetchFile()];
      assert.equal((await get.arrayBuffer()).byteLength, bytes.length);
      assert.equal((await head.arrayBuffer()).byteLength, 0);
      const headersOf = ({ headers }: Response) =>
        [...headers].filter(([name]) => !['date', 'connection', 'x-request-id'].includes(name));
      assert.equal(head.status, 200);
      assert.deepEqual(headersOf(head), headersOf(get));
    });

    test('is not sent to a client that has it', async () => {
      const etag = (await fetchFile({}, 'HEAD')).headers.get('etag') ?? '';
      assert.equal((await fetchFile({ 'if-none-match': etag })).status, 304);
      assert.equal((await fetchFile({ range: 'bytes=0-1', 'if-range': etag })).status, 206);
      for (const headers of [{ 'if-none-match': '"other"' }, { range: 'bytes=0-1', 'if-range': '"other"' }]) {
        const response = await fetchFile(headers);
        assert.equal(response.status, 200);
        await response.arrayBuffer();
      }
    });

    test('is saved under its name, and runs no scripts on the origin of Holdall', async () => {
      for (const entry of [file, page]) {
        const { headers } = await fetchFile({}, 'HEAD', entry);
        const disposition = headers.get('content-disposition') ?? '';
        assert.match(disposition, /^attachment; /);
        assert.ok(disposition.endsWith(entry === file ? NAME : `filename*=UTF-8''page.html`), disposition);
        assert.deepEqual(
          ['x-content-type-options', 'content-security-policy', 'cache-control', 'set-cookie'].map((name) =>
            headers.get(name),
          ),
          ['nosniff', "sandbox; default-src 'none'", 'private, no-cache, no-transform', null],
        );
        assert.equal(headers.get('x-accel-redirect'), null);
      }
    });

    test('of an empty file has an empty body', async () => {
      const response = await fetchFile({}, 'GET', await alice.upload(`/empty ${kind}`, ''));
      assert.deepEqual([response.status, (await response.arrayBuffer()).byteLength], [200, 0]);
    });
  });
}

describe('a signed URL', () => {
  test('is rejected if it was changed or has no signature', async () => {
    const other = await signedUrlOf(page);
    for (const tamper of [
      (url: URL) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1)),
      (url: URL) => url.searchParams.set('md5', 'A'.repeat(22)),
      (url: URL) => url.searchParams.delete('md5'),
      (url: URL) => url.searchParams.delete('expires'),
      (url: URL) => {
        url.pathname = other.pathname;
      },
      (url: URL) => {
        url.pathname = '/_dl/../holdall.db';
      },
    ]) {
      const url = await signedUrlOf(file);
      tamper(url);
      await expectError(url, url.pathname.startsWith('/_dl/') ? 403 : 404);
    }
  });

  test('returns 410 after it has expired, even if its signature is valid', async () => {
    const { pathname } = await signedUrlOf(file);
    const now = Date.now();
    const { md5, expires } = new UrlSigner(secret).sign(pathname, now - 2_000);
    await expectError(new URL(`${pathname}?md5=${md5}&expires=${expires}&filename=x`, nginx.url), 410);
  });

  test('with a file name that is not signed gets a default name', async () => {
    for (const name of ['invoice.exe', 'a"b', 'a%0D%0AX-Evil:%201', 'a;b', 'ü', '']) {
      const url = await signedUrlOf(file);
      url.search = url.search.replace(/filename=.*$/, () => `filename=${name}`);
      const response = await fetch(url, { method: 'HEAD' });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('x-evil'), null);
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="download"; filename*=UTF-8''download`,
      );
    }
  });

  /** Expects an error that a browser shows instead of saving it as the file. */
  async function expectError(url: URL, status: number): Promise<void> {
    const response = await fetch(url);
    assert.equal(response.status, status, url.href);
    assert.equal(response.headers.get('content-disposition'), null);
    assert.ok(!(await response.text()).includes(bytes.toString('latin1').slice(0, 20)));
  }
});

test('the location for X-Accel-Redirect cannot be requested from outside', async () => {
  const { pathname } = await signedUrlOf(file);
  const response = await alice.fetch('GET', pathname.replace('/_dl/', '/_objects/'));
  assert.equal(response.status, 404);
  await response.arrayBuffer();
});

describe('an upload', () => {
  test('of 200 MB is passed on without buffering, and can be downloaded unchanged', inFull, async () => {
    const piece = randomBytes(MB);
    const hash = createHash('sha256');
    const upload = startUpload('large.bin', 200 * MB);
    const send = async (pieces: number) => {
      for (let count = 0; count < pieces; count += 1) {
        hash.update(piece);
        if (!upload.outgoing.write(piece)) await once(upload.outgoing, 'drain');
      }
    };
    await send(100);
    // Half of the upload was sent, and Holdall has stored all of that but a few buffers.
    await waitUntil('half of it is stored', async () => (await largestStored()) > 90 * MB);
    assert.deepEqual(await listBuffered(nginx), []);
    await send(100);
    upload.outgoing.end(upload.tail);
    const answer = await upload.answer;
    const { data } = (await json(answer)) as { data: EntryRecord };
    assert.deepEqual([answer.statusCode, data.size], [200, 200 * MB]);
    assert.deepEqual(await listBuffered(nginx), []);

    const response = await alice.fetch('GET', `/api/files/download/${data.id}`);
    const received = createHash('sha256');
    for await (const chunk of response.body ?? []) received.update(chunk);
    assert.equal(received.digest('hex'), hash.digest('hex'));
  });

  test('that is rejected while it is sent gets the error response', inFull, async () => {
    const upload = startUpload('too-large.bin');
    upload.outgoing.on('error', () => {});
    const piece = Buffer.alloc(MB);
    for (let sent = 0; sent < MAX_UPLOAD_BYTES + 20 * MB && !upload.outgoing.destroyed; sent += MB) {
      if (!upload.outgoing.write(piece)) await Promise.race([once(upload.outgoing, 'drain'), upload.answer]);
    }
    upload.outgoing.end(upload.tail);
    const answer = await upload.answer;
    const body = (await json(answer)) as { code: number };
    assert.deepEqual([answer.statusCode, body.code], [413, 1003]);
  });

  function startUpload(filename: string, size?: number) {
    const { head, tail, contentType } = frameFile({ fields: { path: '/' }, filename });
    const outgoing = request(new URL('/api/files/upload', nginx.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${alice.token}`,
        'content-type': contentType,
        ...(size === undefined ? {} : { 'content-length': head.length + size + tail.length }),
      },
    });
    outgoing.write(head);
    const answer = once(outgoing, 'response').then(([response]): IncomingMessage => response);
    return { outgoing, tail, answer };
  }

  async function largestStored(): Promise<number> {
    const sizes = await Promise.all(
      (await listStoredFiles(holdall)).map((name) =>
        stat(name).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return Math.max(0, ...sizes);
  }
});

describe('an event stream', () => {
  test('is passed on without delay, and ends with its login', async () => {
    const reader = await EventReader.open(alice);
    assert.match(reader.headers['content-type'] ?? '', /^text\/event-stream\b/);
    assert.equal(reader.headers['x-content-type-options'], 'nosniff');
    for (let count = 1; count <= 3; count += 1) {
      await alice.mkdir(`/streamed ${count}`);
      assert.equal((await reader.events(count)).at(-1)?.data.toPath, `/streamed ${count}`);
    }
    const other = await new Person(alice.username, nginx.url).logIn(PASSWORD, 'mobile');
    const ending = await EventReader.open(other.with(undefined), { query: { access_token: other.token } });
    await other.ask('POST', '/api/auth/logout');
    await ending.ended();
    reader.close();
  });

  test('leaves no token in the logs of nginx', async () => {
    const nobody = alice.with(undefined);
    const reader = await EventReader.open(nobody, { query: { access_token: alice.token } });
    reader.close();
    assert.equal(
      (await nobody.fetch('HEAD', `/api/v2/files/events?access_token=${alice.token}`)).status,
      200,
    );
    assert.ok(!(await nginx.readErrors()).includes(alice.token));
    const example = await readFile(new URL('../../../../deploy/nginx.conf', import.meta.url), 'utf8');
    assert.match(example, /location = \/api\/v2\/files\/events \{\n +access_log off;/);
  });
});

test('the access log has neither queries nor the tokens of shares and transfers', async () => {
  const secret = 'the-secret';
  const paths = {
    [`/api/v2/shares/${secret}?download&password=${secret}`]: '/api/v2/shares/-',
    [`/api/v2/shares/${secret}/verify-password?x=${secret}`]: '/api/v2/shares/-/verify-password',
    [`/api/files/share-links/${secret}/save`]: '/api/files/share-links/-/save',
    [`/api/transfer/sessions/${secret}/join`]: '/api/transfer/sessions/-/join',
    [`/api/v2/transfer/sessions/${secret}/offer`]: '/api/v2/transfer/sessions/-/offer',
    [`/api/v2/folder-links/${secret}/entries?path=/${secret}`]: '/api/v2/folder-links/-/entries',
    [`/s/${secret}`]: '/s/-',
    [`/f/${secret}`]: '/f/-',
    [`/l/${secret}?a=b`]: '/l/-',
    [`/transfer/${secret}`]: '/transfer/-',
    [`/t/${secret}`]: '/t/-',
    [`/api/files/list?path=/${secret}`]: '/api/files/list',
  };
  for (const path of Object.keys(paths)) {
    const headers = { referer: `http://127.0.0.1/?${secret}` };
    await (await alice.fetch('GET', path, { headers })).arrayBuffer();
  }
  // nginx logs a request only after its response.
  let logged = '';
  while (!logged.includes('/api/files/list ')) logged = await nginx.readAccesses();
  assert.ok(!logged.includes(secret), logged);
  for (const path of Object.values(paths)) assert.ok(logged.includes(` "GET ${path} HTTP/1.1" `), path);
});

describe('the client address', () => {
  test('is counted by the limiter, whatever X-Forwarded-For says', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      assert.equal(await logIn('127.0.0.2', { 'x-forwarded-for': `10.0.0.${attempt}` }), 401);
    }
    assert.equal(await logIn('127.0.0.2', { 'x-forwarded-for': '10.0.0.99' }), 429);
    assert.equal(await logIn('127.0.0.3', { 'x-forwarded-for': '127.0.0.2' }), 401);
  });

  test('prevents clients of the proxy from reading the metrics', async () => {
    const response = await fetch(new URL('/metrics', nginx.url));
    assert.ok(response.status >= 400, String(response.status));
    await response.arrayBuffer();
  });

  /** Tries to log in as an unknown user from a local address. Returns the status. */
  async function logIn(localAddress: string, headers: Record<string, string>): Promise<number | undefined> {
    const outgoing = request(new URL('/api/auth/login', nginx.url), {
      method: 'POST',
      localAddress,
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.end(JSON.stringify({ username: randomBytes(6).toString('hex'), password: 'guessed it' }));
    const [answer] = await once(outgoing, 'response');
    await buffer(answer);
    return answer.statusCode;
  }
});

test('nginx logs no warnings and no errors', async () => {
  const warnings = (await nginx.readErrors())
    .split('\n')
    .filter((line) => /\[(?:emerg|alert|crit|warn)\]/.test(line));
  assert.deepEqual(warnings, []);
});
