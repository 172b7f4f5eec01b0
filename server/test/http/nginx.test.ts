// runs on: sqlite
// needs: nginx
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../../tools/free-ports.ts';
import { frameFile } from '../../../tools/multipart.ts';
import type { Nginx } from '../../../tools/nginx.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { UrlSigner } from '../../src/http/signed-url.ts';
import { startExampleNginx } from '../support/app/behind-nginx.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, Person } from '../support/app/person.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';
import { EventReader } from '../support/events/event-reader.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const MB = 1_000_000;
const MOST_UPLOAD_BYTES = 220 * MB;

const secret = randomBytes(24).toString('hex');
const port = await findFreePorts(1);
const holdall = await startHoldall({
  env: {
    HOLDALL_PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOLDALL_TRUST_PROXY: '127.0.0.1,::1',
    HOLDALL_ACCEL_REDIRECT: '/_objects/',
    HOLDALL_DOWNLOAD_SECRET: secret,
    HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: String(MOST_UPLOAD_BYTES),
  },
});
const nginx = await startExampleNginx({
  port,
  secret,
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

const offers = new Map<number, string>();
/** The address of the same file in an OFFLINE transfer. */
async function offer(entry: EntryRecord): Promise<string> {
  const known = offers.get(entry.id);
  if (known !== undefined) return known;
  const { filename: name, size, contentType } = entry;
  const body = { mode: 'OFFLINE', files: [{ name, size, contentType }] };
  const { sessionId, files } = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
  const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}`;
  const headers = { 'content-type': 'application/octet-stream' };
  await alice.ask('POST', `${url}/content`, { body: await alice.download(entry), headers });
  offers.set(entry.id, `${url}/download`);
  return `${url}/download`;
}

/** The ways in which nginx sends the bytes itself. */
const ways = [
  ['a download', async (entry: EntryRecord) => `/api/files/download/${entry.id}`],
  ['a signed address', async (entry: EntryRecord) => (await signedUrlOf(entry)).href],
  ['an OFFLINE transfer', offer],
] as const;

for (const [way, addressOf] of ways) {
  describe(way, async () => {
    const fetchFile = async (headers: Record<string, string> = {}, method = 'GET', entry = file) =>
      alice.fetch(method, await addressOf(entry), { headers });

    test('comes whole and from nginx', async () => {
      const response = await fetchFile();
      assert.equal(response.status, 200);
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes));
      // Our own tag is made of the blob's number, that of nginx of the file's time and size.
      assert.match(
        response.headers.get('etag') ?? '',
        new RegExp(`^"[0-9a-f]+-${bytes.length.toString(16)}"$`),
      );
      assert.equal(response.headers.get('accept-ranges'), 'bytes');
      assert.equal(response.headers.get('content-length'), String(bytes.length));
    });

    test('comes in ranges', async () => {
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
      const behind = await fetchFile({ range: 'bytes=300000-' });
      assert.equal(behind.status, 416);
      await behind.arrayBuffer();
    });

    test('is told by HEAD as by GET', async () => {
      const [head, get] = [await fetchFile({}, 'HEAD'), await fetchFile()];
      assert.equal((await get.arrayBuffer()).byteLength, bytes.length);
      assert.equal((await head.arrayBuffer()).byteLength, 0);
      const headersOf = ({ headers }: Response) =>
        [...headers].filter(([name]) => !['date', 'connection'].includes(name));
      assert.equal(head.status, 200);
      assert.deepEqual(headersOf(head), headersOf(get));
    });

    test('is not sent to who has it', async () => {
      const etag = (await fetchFile({}, 'HEAD')).headers.get('etag') ?? '';
      assert.equal((await fetchFile({ 'if-none-match': etag })).status, 304);
      assert.equal((await fetchFile({ range: 'bytes=0-1', 'if-range': etag })).status, 206);
      for (const headers of [{ 'if-none-match': '"other"' }, { range: 'bytes=0-1', 'if-range': '"other"' }]) {
        const response = await fetchFile(headers);
        assert.equal(response.status, 200);
        await response.arrayBuffer();
      }
    });

    test('is saved under its name, and runs nothing on our origin', async () => {
      for (const entry of [file, page]) {
        const { headers } = await fetchFile({}, 'HEAD', entry);
        const disposition = headers.get('content-disposition') ?? '';
        assert.match(disposition, /^attachment; /);
        assert.ok(disposition.endsWith(entry === file ? NAME : `filename*=UTF-8''page.html`), disposition);
        assert.deepEqual(
          ['x-content-type-options', 'content-security-policy', 'cache-control', 'set-cookie'].map((name) =>
            headers.get(name),
          ),
          ['nosniff', "sandbox; default-src 'none'", 'private, no-cache', null],
        );
        assert.equal(headers.get('x-accel-redirect'), null);
      }
    });

    test('of a file without bytes is an empty one', async () => {
      const response = await fetchFile({}, 'GET', await alice.upload(`/empty ${way}`, ''));
      assert.deepEqual([response.status, (await response.arrayBuffer()).byteLength], [200, 0]);
    });
  });
}

describe('a signed address', () => {
  test('that was tampered with is refused, and so is one without a signature', async () => {
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

  test('past its time is gone, however right', async () => {
    const { pathname } = await signedUrlOf(file);
    const { md5, expires } = new UrlSigner(secret).sign(pathname, Date.now() - 2_000);
    await expectError(new URL(`${pathname}?md5=${md5}&expires=${expires}&filename=x`, nginx.url), 410);
  });

  test('whose name is none loses it', async () => {
    for (const name of ['a"b', 'a%0D%0AX-Evil:%201', 'a;b', 'ü', '']) {
      const url = await signedUrlOf(file);
      url.search = url.search.replace(/filename=.*$/, () => `filename=${name}`);
      const response = await fetch(url, { method: 'HEAD' });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('x-evil'), null);
      assert.match(
        response.headers.get('content-disposition') ?? '',
        /^attachment; filename\*=UTF-8''(download|[\w%.-]+)$/,
      );
    }
  });

  /** An error is shown, and not saved as if it were the file. */
  async function expectError(url: URL, status: number): Promise<void> {
    const response = await fetch(url);
    assert.equal(response.status, status, url.href);
    assert.equal(response.headers.get('content-disposition'), null);
    assert.ok(!(await response.text()).includes(bytes.toString('latin1').slice(0, 20)));
  }
});

test('the location behind X-Accel-Redirect is closed to everybody', async () => {
  const { pathname } = await signedUrlOf(file);
  const response = await alice.fetch('GET', pathname.replace('/_dl/', '/_objects/'));
  assert.equal(response.status, 404);
  await response.arrayBuffer();
});

describe('an upload', () => {
  test('of 200 MB goes straight through and comes back as it was', async () => {
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
    // Half of it is sent, and but for what lies in buffers Holdall has it.
    await until(async () => (await largestStored()) > 90 * MB);
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

  test('that is refused in its middle is told why', async () => {
    const upload = startUpload('too-large.bin');
    upload.outgoing.on('error', () => {});
    const piece = Buffer.alloc(MB);
    for (let sent = 0; sent < MOST_UPLOAD_BYTES + 20 * MB && !upload.outgoing.destroyed; sent += MB) {
      if (!upload.outgoing.write(piece)) await Promise.race([once(upload.outgoing, 'drain'), upload.answer]);
    }
    upload.outgoing.end(upload.tail);
    const answer = await upload.answer;
    const body = (await json(answer)) as { code: number };
    assert.deepEqual([answer.statusCode, body.code], [413, 1003]);
  });

  /** Without a size nobody knows how long it will be. */
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
  test('is passed on as it comes, and ends with its login', async () => {
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

  test('leaves no token in the log of nginx', async () => {
    const nobody = alice.with(undefined);
    const reader = await EventReader.open(nobody, { query: { access_token: alice.token } });
    reader.close();
    assert.equal(
      (await nobody.fetch('HEAD', `/api/v2/files/events?access_token=${alice.token}`)).status,
      200,
    );
    assert.ok(!(await nginx.readErrors()).includes(alice.token));
    const example = await readFile(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8');
    assert.match(example, /location = \/api\/v2\/files\/events \{\n +access_log off;/);
  });
});

describe('the address of whoever calls', () => {
  test('is what the limiter counts, whatever they claim', async () => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      assert.equal(await logIn('127.0.0.2', { 'x-forwarded-for': `10.0.0.${attempt}` }), 401);
    }
    assert.equal(await logIn('127.0.0.2', { 'x-forwarded-for': '10.0.0.99' }), 429);
    assert.equal(await logIn('127.0.0.3', { 'x-forwarded-for': '127.0.0.2' }), 401);
  });

  test('keeps the figures from whoever is not on the machine', async () => {
    const response = await fetch(new URL('/metrics', nginx.url));
    assert.ok(response.status >= 400, String(response.status));
    await response.arrayBuffer();
  });

  /** Tries the password of nobody, from an address of ours, and gives the status. */
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

describe('an answer', () => {
  test('that comes bit by bit arrives bit by bit', async () => {
    const front = await startBefore((answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
    });
    const response = await fetch(front.url, { signal: AbortSignal.timeout(5_000) });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    assert.equal(Buffer.from(value ?? []).toString(), 'data: first\n\n');
    await reader?.cancel();
  });

  test('that is not taken waits in the service and in no file of nginx', async () => {
    const piece = Buffer.alloc(MB);
    const front = await startBefore((answer) => {
      const fill = () => {
        while (answer.write(piece));
      };
      answer.on('drain', fill);
      fill();
    });
    const outgoing = request(front.url).on('error', () => {});
    outgoing.end();
    const [answer]: IncomingMessage[] = await once(outgoing, 'response');
    await sleep(500);
    assert.deepEqual(await listBuffered(front), []);
    answer?.destroy();
  });

  /** Our example in front of a service that does nothing but this. */
  async function startBefore(act: (answer: ServerResponse) => void): Promise<Nginx> {
    const service = createServer((_incoming, answer) => act(answer)).listen(0, '127.0.0.1');
    after(() => {
      service.close();
      service.closeAllConnections();
    });
    await once(service, 'listening');
    // A port that is listened on has an address with a number in it.
    const { port: upstreamPort } = service.address() as AddressInfo;
    return await startExampleNginx({ upstreamPorts: [upstreamPort], dataDir: holdall.dataDir, secret });
  }
});

test('nginx has nothing to complain of', async () => {
  const complaints = (await nginx.readErrors())
    .split('\n')
    .filter((line) => /\[(?:emerg|alert|crit|warn)\]/.test(line));
  assert.deepEqual(complaints, []);
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    if (await condition()) return;
    await sleep(10);
  }
  assert.fail('what was waited for did not come');
}

/** What it put into files, which have no name as long as they are there; so it says it in its log. */
async function listBuffered(of: Nginx): Promise<readonly string[]> {
  return (await of.readErrors()).split('\n').filter((line) => line.includes('buffered to a temporary file'));
}
