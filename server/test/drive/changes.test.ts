// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';

const holdall = await startHoldall();
const tight = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: '100' } });

const NFC = 'Café';
const NFD = 'Cafe\u0301';

describe('renaming', () => {
  test('a renamed file has the new name and the same content', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/old.txt', 'content');
    holdall.clock.advance(10);
    const renamed = await alice.rename(file, 'new.txt');
    assert.deepEqual(renamed, {
      ...file,
      filename: 'new.txt',
      path: '/Documents/new.txt',
      updatedAt: renamed.updatedAt,
    });
    assert.ok(renamed.updatedAt > file.updatedAt);
    assert.deepEqual(await alice.names('/Documents'), ['new.txt']);
    assert.equal((await alice.download(file)).toString(), 'content');
  });

  test('everything below a renamed directory gets a new path', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/old');
    const file = await alice.upload('/old/a/b.txt', 'b');
    await alice.rename(directory, 'new');
    assert.deepEqual(pathsOf(await alice.tree('/new')), ['/new/a', '/new/a/b.txt']);
    assert.equal((await alice.details(file)).path, '/new/a/b.txt');
    await alice.refused(404, 1003, 'GET', '/api/files/list?path=/old');
  });

  test('renaming to the same name succeeds and changes nothing', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir(`/${NFC}`);
    holdall.clock.advance(10);
    assert.deepEqual(await alice.rename(directory, NFC), directory);
    assert.deepEqual(await alice.rename(directory, NFD), directory);
  });

  test('a name that differs only in case is a different name', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/readme', 'x');
    assert.equal((await alice.rename(file, 'README')).path, '/README');
  });

  test('a name taken by a file or a directory is rejected', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/x/file', 'x');
    const directory = await alice.mkdir('/x/directory');
    await alice.mkdir(`/x/${NFC}`);
    await alice.upload('/x/other', 'x');
    for (const filename of ['directory', 'other', NFC, NFD])
      await assertRenameRejected(alice, file, filename);
    for (const filename of ['file', 'other', NFD]) await assertRenameRejected(alice, directory, filename);
  });

  const assertRenameRejected = (person: Person, entry: EntryRecord, filename: string) =>
    person.refused(409, 1003, 'PATCH', `/api/files/${entry.id}/rename`, { body: { filename } });
});

describe('moving', () => {
  test('a moved file is in the new directory and no longer in the old one', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file', 'content');
    holdall.clock.advance(10);
    const moved = await alice.move(file, '/Pictures/');
    assert.deepEqual(moved, {
      ...file,
      path: '/Pictures/file',
      parentPath: '/Pictures',
      updatedAt: moved.updatedAt,
    });
    assert.deepEqual([await alice.names('/Documents'), await alice.names('/Pictures')], [[], ['file']]);
    assert.equal((await alice.download(file)).toString(), 'content');
    assert.equal((await alice.move(file, '/')).path, '/file');
  });

  test('a directory is moved with everything below it', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/from/tree');
    await alice.upload('/from/tree/a/b.txt', 'b');
    const stored = await listStoredFiles(holdall);
    await alice.move(directory, '/Documents');
    assert.deepEqual(pathsOf(await alice.tree('/Documents')), [
      '/Documents/tree',
      '/Documents/tree/a',
      '/Documents/tree/a/b.txt',
    ]);
    assert.deepEqual(await alice.names('/from'), []);
    assert.deepEqual(await listStoredFiles(holdall), stored);
    assert.equal(await alice.usedBytes(), 1);
  });

  test('moving into the same directory succeeds and changes nothing', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file', 'x');
    const directory = await alice.mkdir('/directory');
    holdall.clock.advance(10);
    assert.deepEqual(await alice.move(file, '/Documents'), file);
    assert.deepEqual(await alice.move(directory, '/'), directory);
    assert.equal((await alice.list('/')).total, 4);
  });
});

describe('copying', () => {
  test('copying a file does not store its bytes again', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/file.txt', 'content', 'text/x-special');
    const stored = await listStoredFiles(holdall);
    holdall.clock.advance(10);
    const copy = await alice.copy(file, '/Documents');
    const { id, createdAt, updatedAt, ...rest } = copy;
    assert.deepEqual(
      { ...file, ...rest },
      { ...file, path: '/Documents/file.txt', parentPath: '/Documents' },
    );
    assert.notEqual(id, file.id);
    assert.ok(createdAt > file.createdAt && updatedAt === createdAt);
    assert.deepEqual(await listStoredFiles(holdall), stored);
    assert.equal((await alice.download(copy)).toString(), 'content');
    assert.equal((await alice.details(copy)).sha256, (await alice.details(file)).sha256);
    assert.equal(await alice.usedBytes(), 14);
  });

  test('a directory is copied with everything below it', async () => {
    const alice = await holdall.register('alice');
    const source = await alice.mkdir('/source');
    await alice.upload('/source/a/1.txt', '1');
    await alice.upload('/source/a/b/c/22.txt', '22');
    await alice.upload('/source/333.txt', '333');
    await alice.mkdir('/source/empty/emptier');
    const copy = await alice.copy(source, '/Documents');
    assert.equal(copy.path, '/Documents/source');
    const below = async (path: string) =>
      (await alice.tree(path)).map((record) => [record.path.slice(path.length), record.size]);
    assert.deepEqual(await below('/Documents/source'), await below('/source'));
    assert.equal(await alice.usedBytes(), 12);
    const files = (await alice.tree('/Documents')).filter((record) => !record.directory);
    for (const file of files)
      assert.equal((await alice.download(file)).toString(), file.filename.slice(0, -4));
  });

  test('changes to the original do not affect the copy', async () => {
    const alice = await holdall.register('alice');
    const source = await alice.mkdir('/source');
    const file = await alice.upload('/source/file', 'content');
    await alice.copy(source, '/Documents');
    await alice.rename(file, 'renamed');
    await alice.recycle(source);
    await alice.purge(source);
    const [copy] = (await alice.list('/Documents/source')).items;
    assert.equal(copy?.filename, 'file');
    assert.equal((await alice.download(copy)).toString(), 'content');
    assert.equal(await alice.usedBytes(), 7);
  });

  test('a copy of a copy of a tree is complete', async () => {
    const alice = await holdall.register('alice');
    let tree = await alice.mkdir('/t');
    for (const name of ['a', 'b', 'c']) await alice.upload(`/t/d/${name}`, name);
    for (const target of ['/Documents', '/Pictures', '/Downloads']) {
      tree = await alice.copy(tree, target);
      assert.equal((await alice.list(`${target}/t/d`)).total, 3);
    }
    const { total } = await alice.list('/t/d');
    assert.equal(total, 3);
    assert.equal(await alice.usedBytes(), 12);
  });

  test('a tree of many levels is copied down to the last level', async () => {
    const alice = await holdall.register('alice');
    const top = await alice.mkdir('/deep');
    await alice.upload(`/deep${'/d'.repeat(60)}/end`, 'end');
    await alice.copy(top, '/Documents');
    assert.deepEqual(await alice.names(`/Documents/deep${'/d'.repeat(60)}`), ['end']);
  });

  test('copying into the same directory is a conflict', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file', 'x');
    const directory = await alice.mkdir('/directory');
    await assertRejected(alice, 'copy', file, '/Documents', 409);
    await assertRejected(alice, 'copy', directory, '/', 409);
  });

  test('a copy that exceeds the quota is rejected', async () => {
    const alice = await tight.register('alice');
    const directory = await alice.mkdir('/source');
    const file = await alice.upload('/source/40 bytes', 'x'.repeat(40));
    await alice.upload('/source/11 bytes', 'x'.repeat(11));
    const before = await alice.state();
    await assertRejected(alice, 'copy', directory, '/Documents', 413);
    assert.deepEqual(await alice.state(), before);
    await alice.copy(file, '/Documents');
    await assertRejected(alice, 'copy', file, '/Pictures', 413);
    assert.equal(await alice.usedBytes(), 91);
  });
});

for (const operation of ['move', 'copy'] as const) {
  describe(`${operation} rejects`, () => {
    test('a target that does not exist or is a file', async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload('/file', 'x');
      await alice.upload('/other', 'x');
      for (const path of ['/nowhere', '/Documents/nowhere', '/other', '/other/below', '/file'])
        await assertRejected(alice, operation, file, path, 404);
    });

    test('a directory into itself or below itself', async () => {
      const alice = await holdall.register('alice');
      const directory = await alice.mkdir('/a');
      await alice.mkdir('/a/b/c');
      await alice.mkdir('/ab');
      const before = await alice.state();
      for (const path of ['/a', '/a/b', '/a/b/c', 'a//b/'])
        await assertRejected(alice, operation, directory, path, 400);
      assert.deepEqual(await alice.state(), before);
      await alice[operation](directory, '/ab');
      assert.deepEqual(await alice.names('/ab/a/b'), ['c']);
    });

    test('a name that is taken in the target, by a file or a directory', async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload('/name', 'file');
      const directory = await alice.mkdir(`/${NFC}`);
      await alice.mkdir('/to directories/name');
      await alice.mkdir(`/to directories/${NFD}`);
      await alice.upload('/to files/name', 'other file');
      await alice.upload(`/to files/${NFD}`, 'other file');
      const before = await alice.state();
      for (const target of ['/to directories', '/to files']) {
        await assertRejected(alice, operation, file, target, 409);
        await assertRejected(alice, operation, directory, target, 409);
      }
      assert.deepEqual(await alice.state(), before);
    });

    test('a request without a target', async () => {
      const alice = await holdall.register('alice');
      const file = await alice.upload('/file', 'x');
      await assertRejected(alice, operation, file, undefined, 400, 1000);
    });
  });
}

test('the root can be neither renamed, moved, copied, deleted nor downloaded', async () => {
  const alice = await holdall.register('alice');
  const [first] = (await alice.list('/', { sort: 'createdAt' })).items;
  assert.ok(first);
  // The root has no record, but ids are consecutive: its id precedes that of the first directory.
  const root = first.id - 1;
  const body = { filename: 'x', path: '/Documents' };
  await alice.refused(404, 1003, 'PATCH', `/api/files/${root}/rename`, { body });
  await alice.refused(404, 1003, 'PATCH', `/api/files/${root}/move`, { body });
  await alice.refused(404, 1003, 'POST', `/api/files/${root}/copy`, { body });
  await alice.refused(404, 1003, 'DELETE', `/api/files/${root}`);
  await alice.refused(404, 1003, 'GET', `/api/files/download/${root}`);
  await alice.refused(404, 2404, 'GET', `/api/v2/files/${root}`);
  assert.deepEqual(await alice.names(), ['Documents', 'Downloads', 'Pictures']);
});

function assertRejected(
  person: Person,
  operation: 'move' | 'copy',
  entry: EntryRecord,
  path: string | undefined,
  status: number,
  code = 1003,
) {
  const method = operation === 'move' ? 'PATCH' : 'POST';
  return person.refused(status, code, method, `/api/files/${entry.id}/${operation}`, { body: { path } });
}

function pathsOf(records: readonly EntryRecord[]): string[] {
  return records.map((record) => record.path);
}
