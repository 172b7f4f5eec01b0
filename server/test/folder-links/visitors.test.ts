// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { isFull } from '../../../tools/testing/tiers.ts';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { linkFolder, Visitor } from '../support/folder-links/folder-links.ts';
import { readBack } from '../support/zip/zip-reading.ts';

const SECRET = 'the content of a sibling';

const holdall = await startHoldall({ maxTreeEntries: 20 });
let alice: Person;
let link: FolderLinkRecord;
let visitor: Visitor;

before(async () => {
  alice = await holdall.register('alice');
  await alice.upload('/private/secret.txt', SECRET);
  await alice.upload('/public/linked/a.txt', 'the letter a', 'text/plain');
  await alice.upload('/public/linked/sub/b.txt', 'b');
  await alice.upload('/public/linked/sub/deep/c.txt', 'c');
  await alice.mkdir('/public/linked/empty');
  await alice.upload('/public/beside.txt', SECRET);
  await alice.upload('/public/linked-too/secret.txt', SECRET);
  const { items } = await alice.list('/public');
  const directory = items.find(({ filename }) => filename === 'linked') ?? assert.fail();
  link = await linkFolder(alice, directory, { title: 'For: you/all' });
  visitor = new Visitor(holdall.url, link);
});

describe('entries', () => {
  test('have paths relative to the link, and show nothing of the drive around it', async () => {
    const { items, total } = await visitor.entries();
    assert.equal(total, 3);
    const [first, , last] = items;
    assert.ok(first && last);
    assert.deepEqual(Object.keys(last).sort(), [
      ...['contentType', 'directory', 'duration', 'height', 'modifiedAt', 'name', 'path', 'size'],
      ...['thumbnailVersion', 'width'],
    ]);
    assert.deepEqual([first.name, first.path, first.directory], ['empty', '/empty', true]);
    assert.deepEqual([last.path, last.size, last.contentType], ['/a.txt', 12, 'text/plain']);
    const below = await visitor.entries('/sub/deep/');
    assert.deepEqual(
      below.items.map(({ path }) => path),
      ['/sub/deep/c.txt'],
    );
    const response = await visitor.fetch('GET', visitor.at('/entries?path=/sub'));
    assert.doesNotMatch(await response.text(), /public|linked|private/);
  });

  test('are listed in pages, in any order', async () => {
    const query = { sort: 'name', order: 'desc', size: '2' };
    assert.deepEqual(
      (await visitor.entries('/', query)).items.map(({ name }) => name),
      ['sub', 'empty'],
    );
    const second = await visitor.entries('/', { ...query, page: '1' });
    assert.deepEqual([second.items.map(({ name }) => name), second.total], [['a.txt'], 3]);
    const read = async (order: Record<string, string>) =>
      (await visitor.entries('/', order)).items.map(({ name }) => name);
    assert.deepEqual(await read({ order: 'desc' }), ['sub', 'empty', 'a.txt']);
    for (const sort of ['name', 'size', 'createdAt', 'updatedAt', 'modifiedAt']) {
      const ascending = await read({ sort, order: 'asc' });
      assert.deepEqual(await read({ sort, order: 'desc' }), ascending.toReversed(), sort);
    }
  });

  test('are 404 for the path of a file or of nothing', async () => {
    for (const path of ['/a.txt', '/nothing', '/a.txt/b', '/linked']) {
      await visitor.refused(404, 2404, 'GET', visitor.at(`/entries?path=${encodeURIComponent(path)}`));
    }
  });
});

describe('a download of many paths', () => {
  const ask = (paths: readonly string[], by = visitor) =>
    by.call<{ url: string; expiresAt: string }>('POST', by.at('/downloads'), { body: { paths } });
  const read = (by: Visitor, url: string, headers: Record<string, string> = {}) =>
    by.fetch('GET', url, { headers });

  test('has a short address that sends the same bytes as the long one, with ranges', async () => {
    const paths = ['/sub/b.txt', '/a.txt', ...Array.from({ length: 998 }, () => '/sub')];
    const { status, data } = await ask(paths);
    assert.equal(status, 200);
    assert.match(data.url, /^\/api\/v2\/folder-links\/[\w-]{22}\/downloads\?ticket=[\w-]+$/);
    const whole = Buffer.from(await (await read(visitor, data.url)).arrayBuffer());
    assert.deepEqual(whole, await visitor.read(paths.slice(0, 3)));
    const part = await read(visitor, data.url, { range: 'bytes=10-' });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(10));
    const one = await ask(['/a.txt']);
    assert.equal(await (await read(visitor, one.data.url)).text(), 'the letter a');
  });

  test('is valid for five minutes, then for an hour, only at this link', async () => {
    const [used, unused] = [(await ask(['/sub'])).data.url, (await ask(['/sub'])).data.url];
    assert.equal((await read(visitor, used)).status, 200);
    const other = await linkFolder(alice, null, {});
    const elsewhere = used.replace(link.token, other.token);
    assert.equal((await read(visitor, elsewhere)).status, 404);
    const ticket = used.slice(used.indexOf('?'));
    assert.equal((await visitor.fetch('GET', `/api/v2/downloads${ticket}`)).status, 404);
    holdall.clock.advance(5 * 60_000);
    assert.deepEqual([(await read(visitor, used)).status, (await read(visitor, unused)).status], [200, 404]);
    holdall.clock.advance(60 * 60_000);
    assert.equal((await read(visitor, used)).status, 404);
    await alice.logIn();
  });

  test('needs the password, a link that shows files, and paths below it', async () => {
    assert.deepEqual((await ask(['/nothing'])).status, 404);
    for (const paths of [[], ['/../private'], Array.from({ length: 1_001 }, () => '/a.txt')]) {
      assert.equal((await ask(paths)).status, 400);
    }
    assert.equal((await ask(Array.from({ length: 600 }, () => `/${'x'.repeat(250)}`))).status, 400);
    const directory = { id: link.directoryId };
    const locked = new Visitor(holdall.url, await linkFolder(alice, directory, { password: 'sesame' }));
    assert.equal((await ask(['/a.txt'], locked)).status, 403);
    await locked.enterPassword('sesame');
    const { url } = (await ask(['/a.txt'], locked)).data;
    assert.equal((await read(locked, url)).status, 200);
    assert.equal((await read(visitor, url)).status, 403);
    const closed = new Visitor(holdall.url, await linkFolder(alice, directory, { mode: 'UPLOAD' }));
    assert.equal((await ask(['/a.txt'], closed)).status, 403);
    const every = (await ask(['/'], new Visitor(holdall.url, await linkFolder(alice, null, {})))).data.url;
    assert.equal((await read(visitor, every)).status, 200);
  });

  test('ends the oldest of a hundred downloads of the link, but none of the owner', async () => {
    const own = await alice.ask<{ url: string }>('POST', '/api/v2/downloads', {
      body: { fileIds: [link.directoryId] },
    });
    const first = (await ask(['/sub'])).data.url;
    holdall.clock.advance(1);
    for (let count = 0; count < 100; count += 1) assert.equal((await ask(['/sub'])).status, 200);
    assert.equal((await read(visitor, first)).status, 404);
    assert.equal(
      (await visitor.fetch('GET', new URL(own.url).pathname + new URL(own.url).search)).status,
      200,
    );
  });
});

describe('a download', () => {
  test('of a file has ranges', async () => {
    const response = await visitor.get('/a.txt', { range: 'bytes=4-9' });
    assert.equal(response.status, 206);
    assert.equal(await response.text(), 'letter');
    assert.equal((await visitor.read('sub/deep/c.txt')).toString(), 'c');
  });

  test('of a directory is an archive, with ranges', async () => {
    const whole = await visitor.read('/sub');
    assert.deepEqual((await readBack(whole)).map(({ entry }) => entry.fileName).sort(), [
      ...['sub/', 'sub/b.txt', 'sub/deep/', 'sub/deep/c.txt'],
    ]);
    const part = await visitor.get('/sub', { range: 'bytes=10-' });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(10));
  });

  test('of the whole link is named after the title, as far as a name allows', async () => {
    const response = await visitor.get('/');
    assert.match(response.headers.get('content-disposition') ?? '', /For: you_all\.zip/);
    const names = (await readBack(Buffer.from(await response.arrayBuffer()))).map(
      ({ entry }) => entry.fileName,
    );
    assert.ok(names.includes('For: you_all/sub/b.txt'), names.join());
    assert.doesNotMatch(names.join(), /linked/);
  });

  test('of several paths is one archive, in which equal names are made different', async () => {
    await alice.upload('/public/linked/empty/b.txt', 'another');
    const archive = await visitor.read(['/sub/b.txt', '/a.txt', '/empty/b.txt', '/a.txt']);
    assert.deepEqual((await readBack(archive)).map(({ entry }) => entry.fileName).sort(), [
      ...['a.txt', 'b (2).txt', 'b.txt'],
    ]);
    const everything = await visitor.read(['/a.txt', '/']);
    assert.deepEqual(everything, await visitor.read('/'));
    assert.equal((await visitor.get(['/a.txt', '/nothing'])).status, 404);
    assert.equal((await visitor.get([])).status, 400);
    assert.equal((await visitor.get(Array.from({ length: 1_000 }, () => '/a.txt'))).status, 200);
    assert.equal((await visitor.get(Array.from({ length: 1_001 }, () => '/'))).status, 400);
    const deep = Array.from({ length: 100 }, () => 'd').join('/');
    assert.equal(
      (await visitor.get(Array.from({ length: 31 }, (_, index) => `${deep}/${index}`))).status,
      400,
    );
  });

  test('has the same limit of entries as other archives', async () => {
    const large = await alice.mkdir('/large');
    for (let index = 0; index < 21; index += 1) await alice.mkdir(`/large/${index}`);
    const there = new Visitor(holdall.url, await linkFolder(alice, large));
    assert.equal((await there.get('/')).status, 413);
  });
});

describe('a link that only accepts files', () => {
  test('shows nothing', async () => {
    const blind = new Visitor(
      holdall.url,
      await linkFolder(alice, { id: link.directoryId }, { mode: 'UPLOAD' }),
    );
    for (const path of ['/', '/a.txt', '/nothing']) {
      for (const call of ['/entries', '/download']) {
        await blind.refused(403, 2403, 'GET', blind.at(`${call}?path=${encodeURIComponent(path)}`));
      }
    }
  });
});

describe('no spelling of a path', () => {
  const PIECES = [
    ...[
      '..',
      '.',
      '/',
      '//',
      '\\',
      '%2e%2e',
      '%2f',
      '%252e%252e',
      '..;',
      '..%00',
      '\u2024\u2024',
      '\uff0e\uff0e',
    ],
    ...[
      'private',
      'public',
      'secret.txt',
      'beside.txt',
      'linked',
      'linked-too',
      'a.txt',
      'sub',
      'deep',
      ' ',
      '~',
    ],
  ];
  /** The path encoded once, encoded twice, or with only the encoding that an address requires. */
  const ENCODINGS = [
    encodeURIComponent,
    encodeURI,
    (text: string) => encodeURIComponent(encodeURIComponent(text)),
  ];

  test('leads out of the directory', async () => {
    const path = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        path,
        fc.constantFrom('', '/'),
        fc.constantFrom(...ENCODINGS),
        async (pieces, by, encode) => {
          const spelled = encode(pieces.join(by)).replaceAll('&', '%26').replaceAll('#', '%23');
          for (const call of ['entries', 'download']) {
            const response = await visitor.fetch('GET', visitor.at(`/${call}?path=${spelled}`));
            const text = await response.text();
            assert.ok([200, 400, 404].includes(response.status), `${spelled}: ${response.status}`);
            assert.doesNotMatch(text, /content of a sibling|secret\.txt|beside|linked-too/, spelled);
          }
        },
      ),
      { numRuns: isFull ? 250 : 60 },
    );
  });
});
