// tier: default
// runs on: sqlite
// needs: nginx
//
// A client must not notice that nginx sends the bytes. Every answer is compared with that of an instance
// without nginx on the same drive. The surrounding configuration compresses everything, as on many servers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { findFreePorts } from '../../../../tools/processes/free-ports.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startExampleNginx } from '../../support/app/behind-nginx.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { Person } from '../../support/app/person.ts';
import { asDavClient } from '../../support/dav/dav-clients.ts';
import { linkFolder } from '../../support/folder-links/folder-links.ts';
import { orientedJpeg } from '../../support/media/difficult-pictures.ts';
import { type PeerSession, TRANSFERS } from '../../support/transfer/transfer.ts';

const ORIGIN = 'https://notes.example.org';
const port = await findFreePorts(1);
const env = {
  HOLDALL_PUBLIC_URL: `http://127.0.0.1:${port}`,
  HOLDALL_TRUST_PROXY: '127.0.0.1,::1',
  HOLDALL_CORS_ORIGINS: ORIGIN,
  HOLDALL_RATE_LIMITS: 'off',
};
const holdall = await startHoldall({ env: { ...env, HOLDALL_ACCEL_REDIRECT: '/_objects/' } });
const direct = await startHoldall({ env, beside: holdall });
const nginx = await startExampleNginx({
  port,
  upstreamPorts: [Number(new URL(holdall.url).port)],
  dataDir: holdall.dataDir,
  surrounding: 'gzip on; gzip_types *; gzip_min_length 1;',
});
const alice = await new Person('alice', nginx.url).register(await holdall.inviteCode());
const { authorization } = await asDavClient(alice);
const TEXT = 'a line of text\n'.repeat(200);
const directory = await alice.mkdir('/papers');
const replaced = await alice.upload('/papers/replaced.md', TEXT, 'text/markdown');
await replace(replaced, 'second');
const file = await alice.upload('/papers/Äpfel.md', TEXT, 'text/markdown');
const picture = await alice.upload('/papers/picture.jpg', Buffer.from(await orientedJpeg(1)), 'image/jpeg');

/** All ways to get the bytes of a file, or bytes made from files. */
const WAYS: Readonly<Record<string, () => Promise<string>>> = {
  'a download': async () => `/api/files/download/${file.id}`,
  'a signed address': () => pathOf(alice.ask('GET', `/api/files/download/${file.id}/url`)),
  'a version': async () => {
    const url = `/api/v2/files/${replaced.id}/versions`;
    const [version] = await alice.ask<{ id: number }[]>('GET', url);
    return `${url}/${version?.id}`;
  },
  'a share': async () => `/api/v2/shares/${await share({})}?download`,
  'a share with a limit': async () => `/api/v2/shares/${await share({ maxDownloads: 99 })}?download`,
  'a share with a password': async () =>
    `/api/v2/shares/${await share({ password: 'secret' })}?download&password=secret`,
  'a file of a folder link': async () => {
    const { token } = await linkFolder(alice, directory);
    return `/api/v2/folder-links/${token}/download?path=${encodeURIComponent('/Äpfel.md')}`;
  },
  'an archive of a folder link': async () => {
    const { token } = await linkFolder(alice, directory);
    return `/api/v2/folder-links/${token}/download?path=/`;
  },
  'a stored transfer': offer,
  'a file over WebDAV': async () => `/dav/papers/${encodeURIComponent('Äpfel.md')}`,
  'a directory as an archive': async () => `/api/files/download/${directory.id}`,
  'an archive of several entries': () =>
    pathOf(alice.ask('POST', '/api/v2/downloads', { body: { fileIds: [file.id, picture.id] } })),
  'a thumbnail': async () => `/api/v2/files/${picture.id}/thumbnail?size=256`,
};

for (const [way, find] of Object.entries(WAYS)) {
  describe(way, async () => {
    const path = await find();
    const { headers } = await answer(direct.url, path, 'HEAD', {});
    const etag = headers.etag ?? '';
    const date = headers['last-modified'] ?? '';

    for (const [name, method, conditions] of requestsOf(etag, date)) {
      test(`has the same answer with nginx to ${name}`, async () => {
        const [behind, alone] = [
          await answer(nginx.url, path, method, conditions),
          await answer(direct.url, path, method, conditions),
        ];
        assert.deepEqual(behind, alone);
      });
    }
  });
}

type Request = readonly [name: string, method: 'GET' | 'HEAD', conditions: Record<string, string>];

function requestsOf(etag: string, date: string): readonly Request[] {
  const [EARLY, LATE] = ['Thu, 01 Jan 1970 00:00:01 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT'];
  const range = 'bytes=3-6';
  return [
    ['GET', 'GET', {}],
    ['HEAD', 'HEAD', {}],
    ['a page of another origin', 'GET', { origin: ORIGIN }],
    ['a range', 'GET', { range }],
    ['HEAD with a range', 'HEAD', { range }],
    ['the end of the file', 'GET', { range: 'bytes=-5' }],
    ['a range without an end', 'GET', { range: 'bytes=10-' }],
    ['several ranges', 'GET', { range: 'bytes=0-1,4-5' }],
    ['a range with blanks', 'GET', { range: 'bytes= 3-6' }],
    ['a range after the end', 'GET', { range: 'bytes=99999999-' }],
    ['a reversed range', 'GET', { range: 'bytes=6-3' }],
    ['If-None-Match with the tag', 'GET', { 'if-none-match': etag }],
    ['HEAD and If-None-Match with the tag', 'HEAD', { 'if-none-match': etag }],
    ['If-None-Match with the weak tag', 'GET', { 'if-none-match': `W/${etag}` }],
    ['If-None-Match with another tag', 'GET', { 'if-none-match': '"other"', 'if-modified-since': LATE }],
    ['If-Match with the tag', 'GET', { 'if-match': etag }],
    ['If-Match with another tag', 'GET', { 'if-match': '"other"' }],
    ['If-Match with the weak tag', 'GET', { 'if-match': `W/${etag}` }],
    ['If-Match with the tag, and a range', 'GET', { 'if-match': etag, range }],
    ['If-Modified-Since with the date', 'GET', { 'if-modified-since': date }],
    ['If-Modified-Since with an earlier date', 'GET', { 'if-modified-since': EARLY }],
    ['If-Unmodified-Since with the date', 'GET', { 'if-unmodified-since': date }],
    ['If-Unmodified-Since with an earlier date', 'GET', { 'if-unmodified-since': EARLY }],
    ['If-Range with the tag', 'GET', { 'if-range': etag, range }],
    ['If-Range with the weak tag', 'GET', { 'if-range': `W/${etag}`, range }],
    ['If-Range with another tag', 'GET', { 'if-range': '"other"', range }],
    ['If-Range with the date', 'GET', { 'if-range': date, range }],
    ['If-Range with another date', 'GET', { 'if-range': EARLY, range }],
  ];
}

/** Headers that belong to one connection or name the server program, so they may differ. */
const OF_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'server', 'transfer-encoding']);

/** Returns all that a client sees. The values of ids and cookies are new each time, so they are left out. */
async function answer(url: string, path: string, method: string, headers: Record<string, string>) {
  const credentials = path.startsWith('/dav/') ? authorization : `Bearer ${alice.token}`;
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: credentials, ...headers },
  });
  const seen = [...response.headers].filter(([name]) => !OF_CONNECTION.has(name));
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    body: createHash('sha256').update(bytes).digest('hex'),
    headers: Object.fromEntries(
      seen.map(([name, value]) => [name, /^(?:x-request-id|set-cookie)$/.test(name) ? 'new' : value]),
    ) as Record<string, string>,
  };
}

describe('a change that is conditional on the tag of a download behind nginx', () => {
  const forms = [
    (etag: string) => etag,
    (etag: string) => `W/${etag}`,
    (etag: string) => etag.replace(/"$/, '-gzip"'),
    (etag: string) => etag.replace(/"$/, '--gzip"'),
    (etag: string) => etag.replace(/"$/, ';br"'),
    (etag: string) => `${etag}-gzip`,
    (etag: string) => etag.replaceAll('"', ''),
    (etag: string) => `"other", W/${etag}`,
  ];

  test('replaces the content over the API, whichever form a proxy gives the tag', async () => {
    for (const form of forms) {
      assert.equal((await replace(file, 'new', form(await tagOf(file)))).status, 200, form('"tag"'));
    }
  });

  test('replaces the content over WebDAV, in If-Match and in If', async () => {
    const put = async (headers: Record<string, string>) =>
      (await alice.fetch('PUT', '/dav/papers/dav.md', { body: TEXT, headers: { authorization, ...headers } }))
        .status;
    assert.equal(await put({}), 201);
    const entry = (
      await alice.ask<{ items: EntryRecord[] }>('GET', '/api/files/list?path=/papers')
    ).items.find(({ filename }) => filename === 'dav.md');
    assert.ok(entry);
    for (const form of forms) {
      assert.equal(await put({ 'if-match': form(await tagOf(entry)) }), 204, form('"tag"'));
      const tag: string = form(await tagOf(entry)).replace('"other", ', '');
      assert.equal(await put({ if: `([${tag}])` }), 204, tag);
    }
  });

  test('is rejected once the content has changed', async () => {
    const before = await tagOf(file);
    await replace(file, 'third', before);
    for (const form of forms) {
      assert.equal((await replace(file, 'fourth', form(before))).status, 412, form('"tag"'));
    }
    for (const tag of ['"other"', 'W/"other"', '', '"', 'W/', '-gzip', '"-gzip"']) {
      assert.equal((await replace(file, 'fourth', tag)).status, 412, tag);
    }
  });
});

async function tagOf({ id }: EntryRecord): Promise<string> {
  const response = await alice.fetch('GET', `/api/files/download/${id}`);
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

function replace({ id }: EntryRecord, content: string, tag?: string) {
  const headers = {
    'content-type': 'application/octet-stream',
    ...(tag !== undefined && { 'if-match': tag }),
  };
  return alice.call('PUT', `/api/v2/files/${id}/content`, { body: content, headers });
}

async function share(options: object): Promise<string> {
  const body = { fileId: file.id, ...options };
  return (await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body })).token;
}

/** Returns the path and query of a URL, which are valid at both services. */
async function pathOf(answered: Promise<{ url: string }>): Promise<string> {
  const { pathname, search } = new URL((await answered).url);
  return pathname + search;
}

async function offer(): Promise<string> {
  const size = Buffer.byteLength(TEXT);
  const body = { mode: 'OFFLINE', files: [{ name: 'a.md', size, contentType: 'text/markdown' }] };
  const { sessionId, files } = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
  const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}`;
  const headers = { 'content-type': 'application/octet-stream' };
  await alice.ask('POST', `${url}/content`, { body: TEXT, headers });
  return `${url}/download`;
}
