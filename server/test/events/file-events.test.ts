// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { newestOf, readChanges } from '../support/events/changes.ts';

const DAY = 24 * 60 * 60 * 1_000;

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_DIRECTORIES: 'Documents' } });
const { app, clock } = holdall;
const ann = await holdall.register('ann');

describe('the recorded events', () => {
  test('of a new drive are its default directories', async () => {
    const { items } = await readChanges(await holdall.register('new'));
    assert.deepEqual(
      items.map(({ eventType, toPath }) => [eventType, toPath]),
      [['CREATED', '/Documents']],
    );
  });

  test('of a new directory or an upload include one for each missing parent', async () => {
    assert.deepEqual(await recorded(ann, () => ann.mkdir('/made/below')), [
      ['CREATED', null, '/made', 'directory'],
      ['CREATED', null, '/made/below', 'directory'],
    ]);
    assert.deepEqual(await recorded(ann, () => ann.upload('/made/too/file', 'abc')), [
      ['CREATED', null, '/made/too', 'directory'],
      ['CREATED', null, '/made/too/file', 3],
    ]);
  });

  test('of an operation on a tree are one event for its root, with its paths', async () => {
    const tree = await ann.mkdir('/tree');
    await ann.upload('/tree/in/it', 'abc');
    assert.deepEqual(await recorded(ann, () => ann.rename(tree, 'root')), [
      ['RENAMED', '/tree', '/root', 'directory'],
    ]);
    assert.deepEqual(await recorded(ann, () => ann.move(tree, '/Documents')), [
      ['MOVED', '/root', '/Documents/root', 'directory'],
    ]);
    assert.deepEqual(await recorded(ann, () => ann.copy(tree, '/')), [
      ['CREATED', null, '/root', 'directory'],
    ]);
    assert.deepEqual(await recorded(ann, () => ann.recycle(tree)), [
      ['DELETED', '/Documents/root', null, 'directory'],
    ]);
    assert.deepEqual(await recorded(ann, () => ann.restore(tree)), [
      ['RESTORED', null, '/Documents/root', 'directory'],
    ]);
    await ann.recycle(tree);
    assert.deepEqual(await recorded(ann, () => ann.purge(tree)), [
      ['PURGED', '/Documents/root', null, 'directory'],
    ]);
  });

  test('of a restore include the parents that had to be created', async () => {
    const file = await ann.upload('/gone/file', 'a');
    const [gone] = (await ann.list()).items.filter(({ filename }) => filename === 'gone');
    assert.ok(gone);
    await ann.recycle(file);
    await ann.recycle(gone);
    await ann.purge(gone);
    assert.deepEqual(await recorded(ann, () => ann.restore(file)), [
      ['CREATED', null, '/gone', 'directory'],
      ['RESTORED', null, '/gone/file', 1],
    ]);
  });

  test('of an import are one event for the root, and its missing parents', async () => {
    const bob = await holdall.register('bob');
    await ann.upload('/shared/deep/file', 'abc');
    const { items } = await ann.list('/');
    const directory = items.find(({ filename }) => filename === 'shared');
    const file = await ann.upload('/single', 'abcd');
    const link = await ann.ask<{ token: string }>('POST', `/api/files/${directory?.id}/share-links`);
    const share = await ann.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    const act = async () => {
      const body = { path: '/from/ann' };
      await bob.ask('POST', `/api/files/share-links/${link.token}/import`, { body });
      await bob.ask('POST', `/api/v2/shares/${share.token}/import`, { body });
    };
    assert.deepEqual(await recorded(bob, act), [
      ['CREATED', null, '/from', 'directory'],
      ['CREATED', null, '/from/ann', 'directory'],
      ['CREATED', null, '/from/ann/shared', 'directory'],
      ['CREATED', null, '/from/ann/single', 4],
    ]);
  });

  test('of a purge by the maintenance jobs are the same as of a purge by a person', async () => {
    await app.cleanUp();
    const file = await ann.upload('/old', 'a');
    await ann.recycle(file);
    assert.deepEqual(
      await recorded(ann, async () => {
        clock.advance(11 * DAY);
        await ann.logIn();
        await app.cleanUp();
      }),
      [['PURGED', '/old', null, 1]],
    );
  });

  test('are none for operations that change nothing or are rejected', async () => {
    const file = await ann.upload('/same', 'a');
    await ann.mkdir('/taken');
    assert.deepEqual(
      await recorded(ann, async () => {
        await ann.rename(file, 'same');
        await ann.move(file, '/');
        await ann.refused(409, 1003, 'POST', `/api/files/${file.id}/copy`, { body: { path: '/' } });
        await ann.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path: '/taken' } });
        await ann.refused(404, 1003, 'DELETE', '/api/files/999999999');
      }),
      [],
    );
  });
});

/** Returns the events that an operation records for the person: type, paths, and the size or `directory`. */
async function recorded(person: Person, act: () => Promise<unknown>) {
  const cursor = await newestOf(person);
  await act();
  const { items } = await readChanges(person, { cursor });
  return items.map(({ eventType, fromPath, toPath, payload }) => [
    eventType,
    fromPath,
    toPath,
    payload.directory ? 'directory' : payload.size,
  ]);
}
