// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { onQueryOfRequest } from '../support/database/request-queries.ts';
import { loseStoredFiles } from '../support/drive/stored-files.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { largestPng } from '../support/media/difficult-pictures.ts';
import { SVG } from '../support/media/pictures.ts';

const queries: string[] = [];
const holdall = await startHoldall({
  // No background tasks, because statements are counted. Logins outlast the hours that these tests advance.
  env: { HOLDALL_WORKER_CONCURRENCY: '0', HOLDALL_ACCESS_TOKEN_TTL: '10d' },
  onQuery: onQueryOfRequest((sql) => queries.push(sql)),
});
const { decoder } = holdall.app.thumbnails;

let alice: Person;
let bytes: Buffer<ArrayBuffer>;
let photo: EntryRecord;

before(async () => {
  alice = await holdall.register('alice');
  bytes = await photoOf('#c06030');
  photo = await alice.upload('/photo.jpg', bytes);
});

async function photoOf(background: string): Promise<Buffer<ArrayBuffer>> {
  const picture = sharp({ create: { width: 1_600, height: 1_200, channels: 3, background } });
  return Buffer.from(await picture.jpeg().toBuffer());
}

const addressOf = ({ id }: { id: number }, query = 'size=256') => `/api/v2/files/${id}/thumbnail?${query}`;
const fetchOf = (
  person: Person,
  file: { id: number },
  query?: string,
  headers: Record<string, string> = {},
  method = 'GET',
) => person.fetch(method, addressOf(file, query), { headers });

async function sizeOf(response: Response): Promise<readonly (number | string | undefined)[]> {
  assert.equal(response.status, 200, response.ok ? '' : await response.text());
  const { format, width, height } = await sharp(await response.arrayBuffer()).metadata();
  return [format, width, height];
}

const listCache = async () => {
  const entries = await readdir(path.join(holdall.dataDir, 'thumbnails'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

describe('a thumbnail', () => {
  test('is a WebP of one of three sizes, and every other size is rejected', async () => {
    assert.deepEqual(await sizeOf(await fetchOf(alice, photo)), ['webp', 256, 192]);
    assert.deepEqual(await sizeOf(await fetchOf(alice, photo, 'size=1024')), ['webp', 1_024, 768]);
    assert.deepEqual(await sizeOf(await fetchOf(alice, photo, 'size=2048')), ['webp', 1_600, 1_200]);
    for (const query of ['', 'size=', 'size=512', 'size=0', 'size=256.5', 'size=x']) {
      await alice.refused(400, 2400, 'GET', addressOf(photo, query));
    }
  });

  test('is sent so that it never runs on our origin', async () => {
    const { headers } = await fetchOf(alice, photo);
    assert.equal(headers.get('content-type'), 'image/webp');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /sandbox; default-src 'none'/);
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="photo\.jpg\.webp"/);
  });

  test('can be cached forever at a URL with the current version, and is revalidated at others', async () => {
    const { thumbnailVersion } = photo;
    assert.ok(thumbnailVersion);
    const cacheControl = async (query: string) =>
      (await fetchOf(alice, photo, query)).headers.get('cache-control');
    assert.equal(
      await cacheControl(`size=256&v=${thumbnailVersion}`),
      'private, max-age=31536000, immutable',
    );
    for (const query of ['size=256', 'size=256&v=', 'size=256&v=old']) {
      assert.match((await cacheControl(query)) ?? '', /no-cache/);
    }
  });

  test('has a strong ETag, which is answered with 304 without decoding', async () => {
    const first = await fetchOf(alice, photo);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    const large = await fetchOf(alice, photo, 'size=1024');
    assert.notEqual(large.headers.get('etag'), etag);
    await rm(path.join(holdall.dataDir, 'thumbnails'), { recursive: true });
    const same = await fetchOf(alice, photo, 'size=256', { 'if-none-match': etag });
    assert.deepEqual([same.status, same.headers.get('etag'), await same.text()], [304, etag, '']);
    assert.deepEqual(await listCache(), []);
    const failed = await fetchOf(alice, photo, 'size=256', { 'if-match': '"other"' });
    assert.equal(failed.status, 412);
  });

  test('has the same headers for HEAD', async () => {
    const got = await fetchOf(alice, photo);
    const head = await fetchOf(alice, photo, 'size=256', {}, 'HEAD');
    assert.deepEqual([head.status, await head.text()], [200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      assert.equal(head.headers.get(name), got.headers.get(name), name);
    }
  });

  test('is available only to those who may read the file, and only while it can be read', async () => {
    const bob = await holdall.register('bob');
    await bob.refused(404, 2404, 'GET', addressOf(photo));
    await holdall.anonymous.refused(401, 2401, 'GET', addressOf(photo));
    const own = await alice.upload('/own.jpg', bytes);
    assert.equal((await fetchOf(alice, own)).status, 200);
    await alice.recycle(own);
    await alice.refused(404, 2404, 'GET', addressOf(own));
    assert.deepEqual(
      (await alice.bin()).items.map(({ thumbnailVersion }) => thumbnailVersion),
      [null],
    );
    await alice.ask('DELETE', `/api/files/recycle-bin/${own.id}`);
    await alice.refused(404, 2404, 'GET', addressOf(own));
  });

  test('changes with the content, and so does its version', async () => {
    const file = await alice.upload('/changing.jpg', bytes);
    const before = Buffer.from(await (await fetchOf(alice, file)).arrayBuffer());
    const body = await photoOf('#3060c0');
    const changed = await alice.ask<EntryRecord>('PUT', `/api/v2/files/${file.id}/content`, { body });
    assert.notEqual(changed.thumbnailVersion, file.thumbnailVersion);
    const now = Buffer.from(await (await fetchOf(alice, file)).arrayBuffer());
    assert.notDeepEqual(now, before);
  });

  test('is missing for directories, and for files whose record or bytes are not a picture', async () => {
    const directory = await alice.mkdir('/pictures');
    const text = await alice.upload('/text.txt', 'x');
    const svg = await alice.upload('/drawing.svg', SVG);
    for (const file of [directory, text, svg]) {
      assert.equal(file.thumbnailVersion, null);
      await alice.refused(415, 2415, 'GET', addressOf(file));
    }
    const lying = await alice.upload('/lying.jpg', SVG);
    assert.ok(lying.thumbnailVersion);
    await alice.refused(415, 2415, 'GET', addressOf(lying));
  });

  test('has its version in every list of files', async () => {
    const { thumbnailVersion: expected } = photo;
    const lists = [
      (await alice.list('/', { size: 100 })).items,
      await alice.recent(100),
      (await alice.ask<{ items: EntryRecord[] }>('GET', '/api/v2/files/search?q=photo')).items,
      (await alice.ask<{ items: EntryRecord[] }>('GET', '/api/v2/files/timeline?size=100')).items,
      [await alice.details(photo)],
    ];
    for (const items of lists) {
      assert.equal(items.find(({ id }) => id === photo.id)?.thumbnailVersion, expected);
    }
  });

  test('takes two SQL statements, made or cached, and no extra one in a list', async () => {
    const file = await alice.upload('/counted.jpg', await photoOf('#123456'));
    for (let turn = 0; turn < 2; turn += 1) {
      queries.length = 0;
      assert.equal((await fetchOf(alice, file)).status, 200);
      assert.equal(queries.length, 2, queries.join('\n'));
    }
    queries.length = 0;
    await alice.list('/', { size: 100 });
    assert.equal(queries.length, 2, queries.join('\n'));
  });
});

describe('the cache', () => {
  test('serves a file and its copies from one thumbnail, and can be deleted', async () => {
    const other = await holdall.register('other');
    const file = await other.upload('/cached.jpg', await photoOf('#30a080'));
    await other.mkdir('/copies');
    const copy = await other.copy(file, '/copies');
    assert.deepEqual(copy.thumbnailVersion, file.thumbnailVersion);
    const made = Buffer.from(await (await fetchOf(other, file)).arrayBuffer());
    const count = (await listCache()).length;
    assert.deepEqual(Buffer.from(await (await fetchOf(other, copy)).arrayBuffer()), made);
    assert.equal((await listCache()).length, count);
    await rm(path.join(holdall.dataDir, 'thumbnails'), { recursive: true });
    assert.deepEqual(Buffer.from(await (await fetchOf(other, file)).arrayBuffer()), made);
    assert.equal((await listCache()).length, 1);
  });

  test('has files that the doctor and the sweeper do not mistake for objects', async () => {
    await fetchOf(alice, photo);
    const files = await listCache();
    assert.ok(files.length > 0);
    await holdall.app.cleanUp();
    assert.deepEqual((await diagnose(holdall.app)).faults, []);
    assert.deepEqual(await listCache(), files);
  });
});

describe('many requests', () => {
  test('for the same picture share one job, and all get it', async () => {
    const body = await photoOf('#aa22aa');
    const file = await alice.upload('/shared.jpg', body);
    const responses = await Promise.all(Array.from({ length: 20 }, () => fetchOf(alice, file)));
    for (const response of responses) assert.deepEqual(await sizeOf(response), ['webp', 256, 192]);
    assert.ok(decoder.processCount <= 1, `${decoder.processCount} processes`);
  });

  test('for many pictures use two processes', inFull, async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, async (_, index) =>
        alice.upload(`/many/${index}.jpg`, await photoOf(`#10${10 + index}40`)),
      ),
    );
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, decoder.processCount);
    }, 2);
    after(() => clearInterval(watch));
    const responses = await Promise.all(files.map((file) => fetchOf(alice, file)));
    clearInterval(watch);
    for (const response of responses) assert.deepEqual(await sizeOf(response), ['webp', 256, 192]);
    assert.equal(most, 2);
  });

  test('for a picture that cannot be decoded start no other attempt for an hour, in any size', async () => {
    const file = await alice.upload('/broken.jpg', Buffer.from('\xff\xd8\xff broken', 'latin1'));
    await alice.refused(415, 2415, 'GET', addressOf(file));
    await Promise.all(decoder.processIds.map((id) => process.kill(id, 'SIGKILL')));
    while (decoder.processCount > 0) await new Promise(setImmediate);
    for (const query of ['size=256', 'size=1024']) {
      await alice.refused(415, 2415, 'GET', addressOf(file, query));
    }
    assert.equal(decoder.processCount, 0);
    holdall.clock.advance(3_600_000);
    await alice.refused(415, 2415, 'GET', addressOf(file));
    assert.equal(decoder.processCount, 1);
  });

  test('for a picture whose object is lost do not mark it as broken', async () => {
    const lost = await startHoldall();
    const carol = await lost.register('carol');
    const file = await carol.upload('/lost.jpg', bytes);
    await loseStoredFiles(lost);
    for (let turn = 0; turn < 2; turn += 1) {
      await carol.refused(500, 2500, 'GET', addressOf(file));
    }
  });
});

test('a picture that takes too long is unavailable for a while, and others are still served', async () => {
  const hasty = await startHoldall({ beside: holdall, decodingMs: 100 });
  const visitor = alice.with(alice.login);
  Object.assign(visitor, { url: hasty.url });
  const slow = await alice.upload('/slow.png', Buffer.from(largestPng()));
  for (const size of [256, 1_024]) {
    const response = await fetchOf(visitor, slow, `size=${size}`);
    const seconds = Number(response.headers.get('retry-after'));
    assert.ok(response.status === 503 && seconds > 0 && seconds <= 120, `${response.status} ${seconds}`);
    assert.equal(((await response.json()) as { code: number }).code, 2503);
  }
  assert.equal(hasty.app.thumbnails.decoder.processCount, 0);
  assert.equal((await alice.list('/')).total > 0, true);
});

test('the thumbnail of a share is as accessible as the share, and spends no download', async () => {
  const share = async (options: object) =>
    (
      await alice.ask<{ id: number; token: string }>('POST', '/api/v2/shares', {
        body: { fileId: photo.id, ...options },
      })
    ).token;
  const visit = (token: string, headers: Record<string, string> = {}) =>
    holdall.anonymous.fetch('GET', `/api/v2/shares/${token}/thumbnail?size=256`, { headers });

  const open = await share({ maxDownloads: 1, allowDownload: false });
  assert.deepEqual(await sizeOf(await visit(open)), ['webp', 256, 192]);
  const seen = await alice.ask<{ downloadCount: number; file: EntryRecord }>('GET', `/api/v2/shares/${open}`);
  assert.deepEqual([seen.downloadCount, seen.file.thumbnailVersion], [0, photo.thumbnailVersion]);

  const once = await share({ maxDownloads: 1 });
  assert.equal((await holdall.anonymous.fetch('GET', `/api/v2/shares/${once}?download`)).status, 200);
  assert.equal((await visit(once)).status, 410);

  const short = await share({ expiresAt: new Date(holdall.clock.now() + 60_000).toISOString() });
  assert.equal((await visit(short)).status, 200);
  holdall.clock.advance(61_000);
  assert.equal((await visit(short)).status, 410);

  const secret = await share({ password: 'of the share' });
  assert.equal((await visit(secret)).status, 403);
  const verified = await holdall.anonymous.fetch('POST', `/api/v2/shares/${secret}/verify-password`, {
    body: { password: 'of the share' },
  });
  const cookie = verified.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  assert.equal((await visit(secret, { cookie })).status, 200);

  await holdall.anonymous.refused(404, 2404, 'GET', '/api/v2/shares/unknown/thumbnail?size=256');
  await holdall.anonymous.refused(400, 2400, 'GET', `/api/v2/shares/${open}/thumbnail`);
  await alice.recycle(photo);
  assert.equal((await visit(open)).status, 404);
});

test('the thumbnails of a folder link are as accessible as the link', async () => {
  const picture = await alice.upload('/album/summer/beach.jpg', bytes);
  await alice.upload('/album/notes.txt', 'no picture');
  const album = (await alice.list('/')).items.find(({ filename }) => filename === 'album') ?? assert.fail();
  const visit = async (options: object = {}) =>
    new Visitor(holdall.url, await linkFolder(alice, album, options));
  const at = (visitor: Visitor, path: string, query = 'size=256') =>
    visitor.fetch('GET', visitor.at(`/thumbnail?path=${encodeURIComponent(path)}&${query}`));
  const visitor = await visit();
  assert.deepEqual(await sizeOf(await at(visitor, '/summer/beach.jpg')), ['webp', 256, 192]);
  const [entry] = (await visitor.entries('/summer')).items;
  assert.equal(entry?.thumbnailVersion, picture.thumbnailVersion);
  const cached = await at(visitor, '/summer/beach.jpg', `size=256&v=${entry?.thumbnailVersion}`);
  assert.match(cached.headers.get('cache-control') ?? '', /immutable/);
  assert.equal((await at(visitor, '/notes.txt')).status, 415);
  assert.equal((await at(visitor, '/summer')).status, 415);
  assert.equal((await at(visitor, '/photo.jpg')).status, 404);
  assert.equal((await at(visitor, '/../photo.jpg')).status, 400);
  assert.equal((await at(visitor, '/summer/beach.jpg', 'size=300')).status, 400);
  assert.equal((await at(await visit({ mode: 'UPLOAD' }), '/summer/beach.jpg')).status, 403);
  const locked = await visit({ mode: 'BOTH', password: 'sesame' });
  assert.equal((await at(locked, '/summer/beach.jpg')).status, 403);
  assert.equal((await at(await locked.enterPassword('sesame'), '/summer/beach.jpg')).status, 200);
});
