// tier: default
// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { pino } from 'pino';
import yauzl from 'yauzl';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { loseStoredFiles } from '../../support/drive/stored-files.ts';
import { withoutDirect } from '../../support/storage/change-policy.ts';
import { isS3 } from '../../support/storage/test-storage.ts';

/** For tests that do not depend on the store: on S3 they run only with `--full`. */
const fullOnS3 = isS3 ? inFull : {};

const holdall = await startHoldall();
await withoutDirect(holdall);
const alice = await holdall.register('alice');
const small = Buffer.from('0123456789');
const large = randomBytes(400_000);
const smallFile = await alice.upload('/small.txt', small);
const largeFile = await alice.upload('/large.bin', large);

const fetchFile = (entry: EntryRecord, headers: Record<string, string> = {}, method = 'GET') =>
  alice.fetch(method, `/api/files/download/${entry.id}`, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('downloading a file', () => {
  test('sends all bytes, as an attachment', async () => {
    const response = await fetchFile(largeFile);
    assert.equal(response.status, 200);
    assert.ok((await bytesOf(response)).equals(large));
    const header = (name: string) => response.headers.get(name);
    assert.equal(header('content-length'), '400000');
    assert.equal(header('content-type'), 'application/octet-stream');
    assert.equal(
      header('content-disposition'),
      `attachment; filename="large.bin"; filename*=UTF-8''large.bin`,
    );
    assert.equal(header('accept-ranges'), 'bytes');
    assert.match(header('etag') ?? '', /^"[^"]+"$/);
    assert.equal(
      Math.floor(Date.parse(largeFile.updatedAt) / 1_000),
      Date.parse(header('last-modified') ?? '') / 1_000,
    );
    assert.equal(header('x-content-type-options'), 'nosniff');
  });

  for (const [file, bytes] of [
    [smallFile, small],
    [largeFile, large],
  ] as const) {
    const size = bytes.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=2-5', 2, 5],
      ['bytes=7-', 7, size - 1],
      ['bytes=-3', size - 3, size - 1],
      [`bytes=0-${size * 2}`, 0, size - 1],
      [`bytes=${size - 1}-`, size - 1, size - 1],
    ] as const) {
      test(`${range} of ${size} bytes sends exactly that range`, async () => {
        const response = await fetchFile(file, { range });
        assert.equal(response.status, 206);
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${size}`);
        assert.equal(response.headers.get('content-length'), String(end - start + 1));
        assert.ok((await bytesOf(response)).equals(bytes.subarray(start, end + 1)));
      });
    }

    test(`a range after the end of ${size} bytes is rejected`, async () => {
      const response = await fetchFile(file, { range: `bytes=${size}-` });
      assert.equal(response.status, 416);
      assert.equal(response.headers.get('content-range'), `bytes */${size}`);
    });

    test(`HEAD for ${size} bytes sends the headers of GET without the bytes`, async () => {
      const [head, get] = [await fetchFile(file, {}, 'HEAD'), await fetchFile(file)];
      assert.equal((await bytesOf(head)).length, 0);
      await get.arrayBuffer();
      const headersOf = (response: Response) =>
        Object.fromEntries(
          [...response.headers].filter(
            ([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name),
          ),
        );
      assert.equal(head.status, 200);
      assert.deepEqual(headersOf(head), headersOf(get));
    });
  }

  test('a client that has the bytes gets 304', fullOnS3, async () => {
    const { headers } = await fetchFile(smallFile, {}, 'HEAD');
    const etag = headers.get('etag') ?? '';
    assert.equal((await fetchFile(smallFile, { 'if-none-match': etag })).status, 304);
    assert.equal((await fetchFile(smallFile, { 'if-none-match': '"other"' })).status, 200);
    const since = headers.get('last-modified') ?? '';
    assert.equal((await fetchFile(smallFile, { 'if-modified-since': since })).status, 304);
    assert.equal((await fetchFile(smallFile, { 'if-match': '"other"' })).status, 412);
    assert.equal((await fetchFile(smallFile, { range: 'bytes=0-1', 'if-range': etag })).status, 206);
    assert.equal((await fetchFile(smallFile, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
  });

  test('a different file of the same name and size has a different ETag', fullOnS3, async () => {
    const first = await alice.upload('/tags/file', 'one');
    const tagOf = async (entry: EntryRecord) => (await fetchFile(entry, {}, 'HEAD')).headers.get('etag');
    const tag = await tagOf(first);
    await alice.recycle(first);
    assert.notEqual(await tagOf(await alice.upload('/tags/file', 'two')), tag);
  });

  test('names with any characters are sent in full', fullOnS3, async () => {
    for (const name of ['Übung – 日本語 🎉.txt', 'it\'s (1) 100% "quoted"; a=b.txt', ' blank ']) {
      const file = await alice.upload('/names/x', 'x');
      await alice.rename(file, name);
      const response = await fetchFile(file);
      const sent = /filename\*=UTF-8''(\S+)$/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      assert.equal(decodeURIComponent(sent ?? ''), name);
      assert.equal(await response.text(), 'x');
    }
  });

  for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript']) {
    test(
      `${type} is sent as an attachment that browsers neither sniff nor run on our origin`,
      fullOnS3,
      async () => {
        const file = await alice.upload(
          `/pages/${type.replace('/', '-')}`,
          '<script>alert(1)</script>',
          type,
        );
        const { url } = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
        for (const response of [await fetchFile(file), await fetch(url)]) {
          assert.equal(response.headers.get('content-type'), type);
          assert.match(response.headers.get('content-disposition') ?? '', /^attachment;/);
          assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
          assert.match(response.headers.get('content-security-policy') ?? '', /sandbox; default-src 'none'/);
          await response.arrayBuffer();
        }
      },
    );
  }

  test('a recycled or purged file is not found', fullOnS3, async () => {
    const directory = await alice.mkdir('/gone');
    const file = await alice.upload('/gone/file', 'x');
    await alice.recycle(directory);
    const addresses = [file, directory].map((entry) => `/api/files/download/${entry.id}`);
    for (const address of addresses) {
      await alice.refused(404, 1003, 'GET', address);
      await alice.refused(404, 1003, 'GET', `${address}/url`);
    }
    await alice.purge(directory);
    for (const address of addresses) await alice.refused(404, 1003, 'GET', address);
  });
});

describe('downloading a directory', () => {
  test('sends every file and every empty directory, below a folder with the name of the directory', async () => {
    const directory = await alice.mkdir('/Projekt „Äpfel“');
    const files: Record<string, Buffer> = {
      'a.txt': Buffer.from('a'),
      'empty.txt': Buffer.alloc(0),
      'deep/er/日本語.bin': randomBytes(200_000),
      'deep/100%.txt': Buffer.from('percent'),
    };
    for (const [name, bytes] of Object.entries(files)) {
      await alice.upload(`${directory.path}/${name}`, Uint8Array.from(bytes));
    }
    await alice.mkdir(`${directory.path}/nothing here/nor here`);
    const recycled = await alice.upload(`${directory.path}/recycled`, 'x');
    await alice.recycle(recycled);

    const found = await fetchZip(directory);
    const top = `${directory.filename}/`;
    const expected = Object.entries(files).map(([name, bytes]) => [`${top}${name}`, bytes] as const);
    const directories = ['', 'deep/', 'deep/er/', 'nothing here/', 'nothing here/nor here/'];
    assert.deepEqual(
      [...found.keys()].sort(),
      [...expected.map(([name]) => name), ...directories.map((name) => `${top}${name}`)].sort(),
    );
    for (const [name, bytes] of expected) assert.ok(found.get(name)?.equals(bytes), name);
  });

  test('sends an empty directory as an archive with one folder', async () => {
    const directory = await alice.mkdir('/empty');
    assert.deepEqual([...(await fetchZip(directory)).keys()], ['empty/']);
  });

  test('sends a directory of many small files completely', fullOnS3, async () => {
    const directory = await alice.mkdir('/many');
    for (let number = 0; number < 60; number += 1) await alice.upload(`/many/${number}`, `file ${number}`);
    const found = await fetchZip(directory);
    assert.equal(found.size, 61);
    for (let number = 0; number < 60; number += 1) {
      assert.equal(found.get(`many/${number}`)?.toString(), `file ${number}`);
    }
  });

  test('answers HEAD with the length of the archive', async () => {
    const directory = await alice.mkdir('/length');
    await alice.upload('/length/a', 'content');
    const [head, get] = [await fetchFile(directory, {}, 'HEAD'), await fetchFile(directory)];
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    assert.equal((await bytesOf(get)).length, Number(head.headers.get('content-length')));
  });

  test('includes files whose checksums are not known yet', async () => {
    const directory = await alice.mkdir('/mixed');
    const contents = new Map([
      ['empty', Buffer.alloc(0)],
      ['known', Buffer.from('hashed as it came')],
      ['large, unknown', randomBytes(300_000)],
      ['small, unknown', Buffer.from('came to the store directly')],
    ]);
    for (const [name, bytes] of contents) await alice.upload(`/mixed/${name}`, bytes);
    const archive = await fetchZip(directory);
    const unhashed = await holdall.app.database.transact((tx) =>
      tx
        .updateTable('blob')
        .set({ sha256: null, crc32: null })
        .where('id', 'in', (from) =>
          from
            .selectFrom('entry')
            .select('blob_id')
            .where('name', 'in', ['empty', 'large, unknown', 'small, unknown']),
        )
        .executeTakeFirst(),
    );
    assert.equal(unhashed.numUpdatedRows, 3n);
    assert.deepEqual(await fetchZip(directory), archive);
    for (const [name, bytes] of contents) assert.ok(archive.get(`mixed/${name}`)?.equals(bytes), name);
  });

  async function fetchZip(directory: EntryRecord): Promise<ReadonlyMap<string, Buffer>> {
    const response = await fetchFile(directory);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/zip');
    const name = encodeURIComponent(`${directory.filename}.zip`);
    assert.ok(response.headers.get('content-disposition')?.endsWith(`filename*=UTF-8''${name}`));
    const bytes = await bytesOf(response);
    assert.equal(response.headers.get('content-length'), String(bytes.length));
    return readZip(bytes);
  }
});

describe('a signed URL', () => {
  const urlOf = (person: Person, entry: EntryRecord) =>
    person.ask<{ url: string; expiresAt: string }>('GET', `/api/files/download/${entry.id}/url`);

  test('serves the file without a login for five minutes', async () => {
    const { url, expiresAt } = await urlOf(alice, smallFile);
    assert.ok(url.startsWith(`${holdall.url}/_dl/blobs/`));
    const left = Date.parse(expiresAt) - holdall.clock.now();
    assert.ok(left > 295_000 && left <= 301_000, `${left} ms`);
    const response = await fetch(url);
    assert.ok((await bytesOf(response)).equals(small));
    assert.match(response.headers.get('content-disposition') ?? '', /filename="small.txt"/);
    assert.equal(response.headers.get('content-length'), '10');
    assert.equal((await fetch(url, { headers: { range: 'bytes=1-2' } })).status, 206);
    assert.equal((await fetch(url, { method: 'HEAD' })).headers.get('content-length'), '10');
  });

  test('contains the name in the form that a proxy can copy into a header', async () => {
    const { url } = await urlOf(alice, await alice.upload("/Ünser (neues) Bild's+1.txt", 'x'));
    assert.equal(url.split('&filename=')[1], '%C3%9Cnser%20%28neues%29%20Bild%27s%2B1.txt');
    const disposition = (await fetch(url)).headers.get('content-disposition') ?? '';
    assert.match(disposition, /filename\*=UTF-8''%C3%9Cnser%20%28neues%29%20Bild%27s%2B1\.txt$/);
  });

  test('serves an empty file', async () => {
    const { url } = await urlOf(alice, await alice.upload('/empty file', ''));
    assert.equal((await bytesOf(await fetch(url))).length, 0);
  });

  test('is rejected if any signed part was changed', async () => {
    const { url } = await urlOf(alice, smallFile);
    const other = new URL((await urlOf(alice, largeFile)).url);
    const changes: ((changed: URL) => void)[] = [
      (changed) => changed.searchParams.set('md5', 'AAAAAAAAAAAAAAAAAAAAAA'),
      (changed) => changed.searchParams.set('md5', ''),
      (changed) => changed.searchParams.delete('md5'),
      (changed) => changed.searchParams.delete('expires'),
      (changed) =>
        changed.searchParams.set('expires', String(Number(changed.searchParams.get('expires')) + 1)),
      (changed) => changed.searchParams.set('expires', '99999999999'),
      (changed) => {
        changed.pathname = other.pathname;
      },
      (changed) => {
        changed.pathname = '/_dl/holdall.db';
      },
      (changed) => {
        changed.search = '';
      },
    ];
    for (const change of changes) {
      const changed = new URL(url);
      change(changed);
      await holdall.anonymous.refused(403, 1002, 'GET', changed.href);
    }
    const twice = `${url}&expires=99999999999`;
    assert.ok([400, 403].includes((await holdall.anonymous.call('GET', twice)).status));
  });

  test('allows no header injection by a changed name', async () => {
    const { url } = await urlOf(alice, smallFile);
    const changed = new URL(url);
    changed.searchParams.set('filename', 'a"\r\nset-cookie: x=y\u0001;.html');
    const response = await fetch(changed);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('set-cookie'), null);
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="/);
    await response.arrayBuffer();
  });

  test('is not issued for a directory', async () => {
    const directory = await alice.mkdir('/no address');
    await alice.refused(400, 1003, 'GET', `/api/files/download/${directory.id}/url`);
  });

  test('is rejected after it has expired', async () => {
    const bob = await holdall.register('bob');
    const { url } = await urlOf(bob, await bob.upload('/file', 'x'));
    holdall.clock.advance(299_000);
    assert.equal((await fetch(url)).status, 200);
    holdall.clock.advance(3_000);
    await holdall.anonymous.refused(410, 1003, 'GET', url);
    const later = new URL(url);
    later.searchParams.set('expires', String(Number(later.searchParams.get('expires')) + 600));
    await holdall.anonymous.refused(403, 1002, 'GET', later.href);
  });
});

/** Reads the entries of an archive with their bytes, and checks their sizes and CRCs. */
async function readZip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const archive = await yauzl.fromBufferPromise(bytes);
  const found = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    const content = await buffer(await archive.openReadStreamPromise(entry));
    assert.deepEqual([content.length, crc32(content)], [entry.uncompressedSize, entry.crc32]);
    assert.ok(!found.has(entry.fileName), `${entry.fileName} appears twice`);
    found.set(entry.fileName, content);
  }
  return found;
}

describe('lost bytes', async () => {
  const lines: string[] = [];
  const lossy = await startHoldall({
    logger: pino({ level: 'error' }, { write: (line) => lines.push(line) }),
  });
  await withoutDirect(lossy);

  for (const [size, bytes] of [
    ['small', Buffer.alloc(10)],
    ['large', Buffer.alloc(1_000_000)],
  ] as const) {
    test(`of a ${size} file cause a server error, which is logged`, async () => {
      const alice = await lossy.register('alice');
      const file = await alice.upload('/tree/lost', bytes);
      const signed = await alice.ask<{ url: string }>('GET', `/api/files/download/${file.id}/url`);
      await loseStoredFiles(lossy);
      for (const url of [`/api/files/download/${file.id}`, signed.url]) {
        lines.length = 0;
        const response = await alice.fetch('GET', url);
        assert.equal(response.status, 500);
        assert.doesNotMatch(await response.text(), /blobs/);
        assert.match(lines.join(), /are missing, although a record refers to them/);
      }
      const [tree] = (await alice.list()).items.filter((entry) => entry.filename === 'tree');
      lines.length = 0;
      const zip = await alice.fetch('GET', `/api/files/download/${tree?.id}`);
      assert.equal(zip.status, 500);
      await zip.body?.cancel();
      assert.match(lines.join(), /are missing, although a record refers to them/);
    });
  }
});
