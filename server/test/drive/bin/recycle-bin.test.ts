// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../src/base/clock.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { listStoredFiles } from '../../support/drive/stored-files.ts';

const holdall = await startHoldall();
const tight = await startHoldall({ env: { HOLDALL_DEFAULT_QUOTA_BYTES: '100' } });

const DEFAULTS = ['Documents', 'Downloads', 'Pictures'];

async function newestCursor(person: Person): Promise<number> {
  const changes = '/api/v2/files/changes?limit=1000';
  return (await person.ask<{ nextCursor: number }>('GET', changes)).nextCursor;
}

describe('deleting', () => {
  test('a deleted file moves from its directory to the bin and keeps its record', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/Documents/file.txt', 'content');
    holdall.clock.advance(MINUTE);
    const before = holdall.clock.now();
    await alice.recycle(file);
    assert.deepEqual(await alice.names('/Documents'), []);
    const { items, total } = await alice.bin();
    assert.equal(total, 1);
    const [found] = items;
    assert.ok(found);
    const { deletedAt, expiresAt, originalPath, ...record } = found;
    assert.deepEqual(record, file);
    assert.equal(originalPath, '/Documents/file.txt');
    assert.ok(Date.parse(deletedAt) >= before && Date.parse(deletedAt) <= holdall.clock.now());
    assert.equal(Date.parse(expiresAt) - Date.parse(deletedAt), 10 * DAY);
  });

  test('a deleted tree is one entry of the bin and no longer counts against the quota', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/a/b/c.txt', 'content');
    await alice.upload('/tree/d.txt', 'more');
    await alice.recycle(tree);
    assert.deepEqual(
      (await alice.bin()).items.map((record) => [record.id, record.directory, record.size]),
      [[tree.id, true, 0]],
    );
    assert.equal(await alice.usedBytes(), 0);
    assert.deepEqual(await alice.names(), DEFAULTS);
    await alice.refused(404, 2404, 'GET', `/api/v2/files/${file.id}`);
    await alice.refused(404, 1003, 'DELETE', `/api/files/${file.id}`);
    await alice.refused(404, 1003, 'DELETE', `/api/files/${tree.id}`);
  });

  test('with a cursor is rejected if the drive has changed since', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/known');
    const known = await newestCursor(alice);
    await alice.upload('/known/unseen.txt', 'unseen');
    const before = await alice.state();
    const recycle = `/api/files/${directory.id}?cursor=`;
    for (const cursor of [known, 0, known + 1_000_000])
      await alice.refused(412, 1003, 'DELETE', `${recycle}${cursor}`);
    await alice.refused(400, 1000, 'DELETE', `${recycle}x`);
    assert.deepEqual(await alice.state(), before);
    await alice.ask('DELETE', `${recycle}${await newestCursor(alice)}`);
    assert.deepEqual(await alice.names(), DEFAULTS);
  });

  test('the name of a deleted entry is free again', async () => {
    const alice = await holdall.register('alice');
    await alice.recycle(await alice.upload('/name', 'first'));
    await alice.recycle(await alice.upload('/name', 'second'));
    await alice.mkdir('/name');
    assert.equal((await alice.bin()).total, 2);
  });

  test('the bin lists the latest deletion first, in pages', async () => {
    const alice = await holdall.register('alice');
    const ids: number[] = [];
    for (let number = 0; number < 23; number += 1) {
      const file = await alice.upload(`/${number}`);
      ids.unshift(file.id);
      await alice.recycle(file);
    }
    const pageOf = async (query: string) => {
      const answer = await alice.ask<{ items: EntryRecord[]; total: number; size: number }>(
        'GET',
        `/api/files/recycle-bin?${query}`,
      );
      return { ...answer, items: answer.items.map((record) => record.id) };
    };
    assert.deepEqual(await pageOf(''), { items: ids.slice(0, 20), total: 23, page: 0, size: 20 });
    const walked: number[] = [];
    for (let page = 0; page < 5; page += 1) walked.push(...(await pageOf(`page=${page}&size=5`)).items);
    assert.deepEqual(walked, ids);
    assert.equal((await pageOf('size=5000')).size, 1_000);
    for (const query of ['size=0', 'page=-1', 'size=x'])
      await alice.refused(400, 1000, 'GET', `/api/files/recycle-bin?${query}`);
  });
});

describe('restoring', () => {
  test('a tree returns to its path, complete and unchanged', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/Documents/tree');
    const file = await alice.upload('/Documents/tree/a/b.txt', 'content');
    await alice.mkdir('/Documents/tree/empty');
    const before = await alice.state();
    holdall.clock.advance(MINUTE);
    await alice.recycle(tree);
    assert.deepEqual(await alice.restore(tree), tree);
    assert.deepEqual(await alice.state(), before);
    assert.equal((await alice.download(file)).toString(), 'content');
    await alice.refused(404, 1003, 'POST', `/api/files/recycle-bin/${tree.id}/restore`);
  });

  test('missing parents are created', async () => {
    const alice = await holdall.register('alice');
    const top = await alice.mkdir('/a');
    const file = await alice.upload('/a/b/c/file', 'content');
    await alice.recycle(file);
    await alice.recycle(top);
    await alice.purge(top);
    assert.equal((await alice.restore(file)).path, '/a/b/c/file');
    assert.deepEqual(
      (await alice.tree('/a')).map((record) => record.path),
      ['/a/b', '/a/b/c', '/a/b/c/file'],
    );
  });

  test('a child deleted before its parent returns to the same tree', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/below/file', 'content');
    await alice.upload('/tree/below/other', 'other');
    const before = await alice.state();
    await alice.recycle(file);
    await alice.recycle(tree);
    assert.equal((await alice.bin()).total, 2);
    await alice.restore(tree);
    assert.deepEqual(await alice.names('/tree/below'), ['other']);
    await alice.restore(file);
    assert.deepEqual(await alice.state(), before);
  });

  test('a parent that was created again conflicts with the deleted one', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const file = await alice.upload('/tree/file', 'content');
    await alice.recycle(file);
    await alice.recycle(tree);
    await alice.restore(file);
    await assertRestoreRejected(alice, tree, 409);
    assert.deepEqual(await alice.names('/tree'), ['file']);
  });

  test('an entry returns to its original path even if the directory was renamed', async () => {
    const alice = await holdall.register('alice');
    const directory = await alice.mkdir('/old');
    const file = await alice.upload('/old/file', 'x');
    await alice.recycle(file);
    await alice.rename(directory, 'new');
    assert.equal((await alice.restore(file)).path, '/old/file');
    assert.deepEqual(await alice.names('/new'), []);
  });

  test('a taken name is a conflict for files and directories, and nothing is merged', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    await alice.upload('/tree/file', 'x');
    const file = await alice.upload('/file', 'y');
    await alice.recycle(tree);
    await alice.recycle(file);
    await alice.mkdir('/file');
    const inTheWay = await alice.upload('/tree', 'z');
    await assertRestoreRejected(alice, tree, 409);
    await assertRestoreRejected(alice, file, 409);
    await alice.recycle(inTheWay);
    await alice.mkdir('/tree');
    await assertRestoreRejected(alice, tree, 409);
  });

  test('a file in place of a parent is a conflict, and no other parent is created', async () => {
    const alice = await holdall.register('alice');
    const top = await alice.mkdir('/a/b');
    const file = await alice.upload('/a/b/c/file', 'x');
    await alice.recycle(file);
    await alice.recycle(top);
    await alice.upload('/a/b', 'in the way');
    await assertRestoreRejected(alice, file, 409);
  });

  test('of two entries with the same path, one can be restored', async () => {
    const alice = await holdall.register('alice');
    const first = await alice.upload('/name', 'first');
    await alice.recycle(first);
    const second = await alice.upload('/name', 'second');
    await alice.recycle(second);
    await alice.restore(first);
    await assertRestoreRejected(alice, second, 409);
    assert.equal((await alice.download(first)).toString(), 'first');
  });

  test('a tree that exceeds the quota stays complete in the bin, and no parent is created', async () => {
    const alice = await tight.register('alice');
    const top = await alice.mkdir('/top');
    const tree = await alice.mkdir('/top/tree');
    await alice.upload('/top/tree/1', 'x'.repeat(30));
    await alice.upload('/top/tree/2', 'x'.repeat(30));
    await alice.recycle(tree);
    await alice.recycle(top);
    await alice.upload('/other', 'x'.repeat(41));
    await assertRestoreRejected(alice, tree, 413);
    const admin = asAdmin(await tight.admin());
    await admin.user(alice, 'storage-quota', { storageQuotaBytes: 101 });
    await alice.restore(tree);
    assert.equal(await alice.usedBytes(), 101);
  });

  test('an empty file can be restored to a full drive', async () => {
    const alice = await tight.register('alice');
    const file = await alice.upload('/empty', '');
    await alice.recycle(file);
    await alice.upload('/full', 'x'.repeat(100));
    await alice.restore(file);
  });
});

describe('purging', () => {
  test('a purged tree is gone with everything below it, and the others stay', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    const below = await alice.upload('/tree/file', 'x');
    const file = await alice.upload('/file', 'y');
    await alice.recycle(tree);
    await alice.recycle(file);
    await alice.purge(tree);
    assert.deepEqual(
      (await alice.bin()).items.map((record) => record.id),
      [file.id],
    );
    for (const { id } of [tree, below]) {
      await alice.refused(404, 1003, 'POST', `/api/files/recycle-bin/${id}/restore`);
      await alice.refused(404, 1003, 'DELETE', `/api/files/recycle-bin/${id}`);
    }
    assert.equal(await alice.usedBytes(), 0);
  });

  test('emptying the bin purges all trees of the caller and no others', async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    for (const person of [alice, bob]) {
      for (const name of ['a', 'b', 'c']) await person.recycle(await person.upload(`/${name}`, name));
      await person.upload('/kept', 'kept');
    }
    assert.equal(await alice.ask('DELETE', '/api/files/recycle-bin'), null);
    assert.equal((await alice.bin()).total, 0);
    assert.equal((await bob.bin()).total, 3);
    assert.deepEqual(await alice.names(), [...DEFAULTS, 'kept']);
    assert.equal(await alice.ask('DELETE', '/api/files/recycle-bin'), null);
  });
});

describe('the purge job', () => {
  test('purges trees after ten days in the bin, and not a minute earlier', async () => {
    const alice = await holdall.register('alice');
    const tree = await alice.mkdir('/tree');
    await alice.upload('/tree/file', 'x');
    const file = await alice.upload('/file', 'y');
    await alice.recycle(tree);
    holdall.clock.advance(5 * MINUTE);
    await alice.recycle(file);
    holdall.clock.advance(10 * DAY - 6 * MINUTE);
    await holdall.app.cleanUp();
    await alice.logIn();
    assert.equal((await alice.bin()).total, 2);
    holdall.clock.advance(2 * MINUTE);
    await holdall.app.cleanUp();
    assert.deepEqual(
      (await alice.bin()).items.map((record) => record.id),
      [file.id],
    );
    await alice.refused(404, 1003, 'POST', `/api/files/recycle-bin/${tree.id}/restore`);
    holdall.clock.advance(5 * MINUTE);
    await holdall.app.cleanUp();
    assert.equal((await alice.bin()).total, 0);
  });

  test('counts the days from the last deletion', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/file', 'x');
    await alice.recycle(file);
    holdall.clock.advance(9 * DAY);
    await alice.logIn();
    await alice.restore(file);
    await alice.recycle(file);
    holdall.clock.advance(9 * DAY);
    await alice.logIn();
    await holdall.app.cleanUp();
    await alice.restore(file);
    assert.equal((await alice.download(file)).toString(), 'x');
  });

  test('leaves the bytes of purged files to the sweeper, which removes them after an hour', async () => {
    await purgeAndSweep();
    const alice = await holdall.register('alice');
    const stored = (await listStoredFiles(holdall)).length;
    const tree = await alice.mkdir('/tree');
    for (const name of ['a', 'b', 'c']) await alice.upload(`/tree/${name}`, name);
    await alice.upload('/kept', 'kept');
    await alice.recycle(tree);
    await alice.purge(tree);
    holdall.clock.advance(HOUR - MINUTE);
    await holdall.app.cleanUp();
    assert.equal((await listStoredFiles(holdall)).length, stored + 4);
    holdall.clock.advance(2 * MINUTE);
    await holdall.app.cleanUp();
    assert.equal((await listStoredFiles(holdall)).length, stored + 1);
  });

  test('never removes bytes that a copy uses', async () => {
    await purgeAndSweep();
    const alice = await holdall.register('alice');
    const file = await alice.upload('/file', 'shared bytes');
    const copy = await alice.copy(file, '/Documents');
    const second = await alice.copy(file, '/Pictures');
    const stored = await listStoredFiles(holdall);
    await alice.recycle(file);
    await alice.purge(file);
    await alice.recycle(second);
    await purgeAndSweep();
    await alice.logIn();
    assert.deepEqual(await listStoredFiles(holdall), stored);
    assert.equal((await alice.download(copy)).toString(), 'shared bytes');
    await alice.recycle(copy);
    await alice.purge(copy);
    await purgeAndSweep();
    assert.equal((await listStoredFiles(holdall)).length, stored.length - 1);
  });

  test('does not remove the bytes of entries in the bin', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/file', 'content');
    await alice.recycle(file);
    holdall.clock.advance(9 * DAY);
    await holdall.app.cleanUp();
    await alice.logIn();
    await alice.restore(file);
    assert.equal((await alice.download(file)).toString(), 'content');
  });
});

/** Asserts that a rejected restore changes neither the drive nor the bin nor the usage. */
async function assertRestoreRejected(person: Person, entry: EntryRecord, status: number): Promise<void> {
  const before = await person.state();
  await person.refused(status, 1003, 'POST', `/api/files/recycle-bin/${entry.id}/restore`);
  assert.deepEqual(await person.state(), before);
}

/**
 * Purges all bins, then removes unused bytes. Run before counting objects, it removes what other tests left.
 */
async function purgeAndSweep(): Promise<void> {
  holdall.clock.advance(11 * DAY);
  await holdall.app.cleanUp();
  holdall.clock.advance(2 * HOUR);
  await holdall.app.cleanUp();
}
