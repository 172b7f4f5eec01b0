// tier: default
// runs on: sqlite, postgres
// Texts are found by those who may read a live file with this content, and by no one else.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { PlainTexts, pathsWith, takeTexts } from '../support/content-search/plain-texts.ts';
import { find } from '../support/drive/search.ts';
import { createManagedDrive, inDrive, markDeleted } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall({ extraction: new PlainTexts() });
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');

afterEach(() => checkBooks(holdall));

describe('a search in content', () => {
  test('finds nothing in drives of others', async () => {
    await alice.upload('/secret.txt', 'the treasure of alice', 'text/plain');
    await takeTexts(holdall);
    for (const place of ['content', 'all']) {
      for (const drive of [{}, { drive: 'all' }]) {
        const { items, total } = await find(bob, { in: place, q: 'treasure', ...drive });
        assert.deepEqual([items, total], [[], 0]);
      }
      await bob.refused(
        404,
        2404,
        'GET',
        `/api/v2/files/search?in=${place}&q=treasure&drive=${alice.driveId}`,
      );
    }
    assert.deepEqual(await pathsWith(alice, 'treasure'), ['/secret.txt']);
  });

  test('finds files of shared drives for members, until they are removed or the drive is deleted', async () => {
    const id = await createManagedDrive(holdall, [
      [alice, 'MANAGER'],
      [bob, 'VIEWER'],
    ]);
    await inDrive(alice, id).upload('/minutes.txt', 'minutes of the meeting', 'text/plain');
    await takeTexts(holdall);
    const [found] = (await find(bob, { in: 'content', q: 'meeting', drive: 'all' })).items;
    assert.deepEqual([found?.path, found?.driveId], ['/minutes.txt', id]);
    assert.deepEqual(await pathsWith(bob, 'meeting', { drive: id }), ['/minutes.txt']);
    assert.deepEqual(await pathsWith(bob, 'meeting'), []);
    await alice.ask('DELETE', `/api/v2/drives/${id}/members/${bob.id}`);
    assert.deepEqual(await pathsWith(bob, 'meeting', { drive: 'all' }), []);
    assert.deepEqual(await pathsWith(alice, 'meeting', { drive: 'all' }), ['/minutes.txt']);
    await markDeleted(holdall, id);
    assert.deepEqual(await pathsWith(alice, 'meeting', { drive: 'all' }), []);
  });

  test('leaves out the recycle bin', async () => {
    const file = await alice.upload('/bin/letter.txt', 'recycled words', 'text/plain');
    await takeTexts(holdall);
    await alice.recycle(file);
    assert.deepEqual(await pathsWith(alice, 'recycled'), []);
    await alice.restore(file);
    assert.deepEqual(await pathsWith(alice, 'recycled'), ['/bin/letter.txt']);
  });

  test('finds the current content of a file, and no former one', async () => {
    const file = await alice.upload('/versions.txt', 'former content', 'text/plain');
    await takeTexts(holdall);
    await alice.ask('PUT', `/api/v2/files/${file.id}/content`, {
      body: 'present content',
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.deepEqual(await pathsWith(alice, 'former'), []);
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'present'), ['/versions.txt']);
    assert.deepEqual(await pathsWith(alice, 'former'), []);
    const [version] = await alice.ask<{ id: number }[]>('GET', `/api/v2/files/${file.id}/versions`);
    await alice.ask('POST', `/api/v2/files/${file.id}/versions/${version?.id}/restore`);
    assert.deepEqual(await pathsWith(alice, 'former'), ['/versions.txt']);
  });

  test('finds each copy where it is, by the name that it has now', async () => {
    const file = await alice.upload('/original.txt', 'copied words', 'text/plain');
    await takeTexts(holdall);
    await alice.mkdir('/copies');
    const copy = await alice.copy(file, '/copies');
    await alice.rename(copy, 'renamed.txt');
    assert.deepEqual(await pathsWith(alice, 'copied', { sort: 'name' }), [
      '/original.txt',
      '/copies/renamed.txt',
    ]);
    assert.deepEqual(await pathsWith(alice, 'copied', { under: '/copies' }), ['/copies/renamed.txt']);
  });

  test('forgets a text with its content', async () => {
    const file = await alice.upload('/gone.txt', 'forgotten words', 'text/plain');
    await takeTexts(holdall);
    const { db } = holdall.app.database;
    const countTexts = async () => (await db.selectFrom('blob_text').select('blob_id').execute()).length;
    const before = await countTexts();
    await alice.recycle(file);
    await alice.purge(file);
    holdall.clock.advance(2 * DAY);
    await holdall.app.cleanUp();
    assert.ok((await countTexts()) < before);
  });
});
