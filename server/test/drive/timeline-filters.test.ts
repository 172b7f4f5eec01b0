// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { createDrive, inDrive } from '../support/drives/shared-drives.ts';
import { makeExif, makeJpegWithExif, makeMovie } from '../support/media/exif-files.ts';
import { makePng } from '../support/media/pictures.ts';
import { waitFor } from '../support/tasks/tasks.ts';

interface Picture extends EntryRecord {
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
}

const holdall = await startHoldall();

const listOf = async (person: Person, query = '') =>
  (await person.ask<{ readonly items: readonly Picture[] }>('GET', `/api/v2/files/timeline?${query}`)).items;

/** Uploads a file of one day, and waits until its metadata is known. */
async function upload(
  person: Person,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<EntryRecord> {
  const form = formOf(path, bytes, type);
  form.set('modifiedAt', '2026-05-01T12:00:00Z');
  const file = await person.ask<EntryRecord>('POST', '/api/files/upload', { body: form });
  const read = async () => (await person.details(file)).metadata;
  await waitFor(read, (metadata) => Object.keys(metadata).length > 0, 'the metadata');
  return file;
}

describe('the filters of the timeline', () => {
  test('select a kind, starred files, and files that are no screenshots, also in the counts', async () => {
    const alice = await holdall.register('alice');
    const star = await upload(alice, '/star.png', makePng(), 'image/png');
    await upload(alice, '/Screenshot_2026.png', makePng(), 'image/png');
    await upload(alice, '/截屏 1.png', makePng(), 'image/png');
    await upload(alice, '/my screenshot.png', makePng(), 'image/png');
    const clip = await upload(alice, '/clip.mp4', makeMovie(0), 'video/mp4');
    await upload(alice, '/Screen Recording.mp4', makeMovie(0), 'video/mp4');
    for (const { id } of [star, clip]) await alice.ask('PUT', `/api/v2/files/${id}/star`);
    for (const [filter, names] of [
      ['kind=VIDEO', ['Screen Recording.mp4', 'clip.mp4']],
      ['starred=true', ['clip.mp4', 'star.png']],
      ['starred=true&kind=IMAGE', ['star.png']],
      ['screenshots=false', ['clip.mp4', 'my screenshot.png', 'star.png']],
      ['screenshots=false&kind=IMAGE', ['my screenshot.png', 'star.png']],
    ] as const) {
      const items = await listOf(alice, filter);
      assert.deepEqual(
        items.map(({ filename }) => filename),
        names,
        filter,
      );
      const months = await alice.ask<{ readonly count: number }[]>(
        'GET',
        `/api/v2/files/timeline/months?${filter}`,
      );
      assert.deepEqual(
        months.map(({ count }) => count),
        [names.length],
        filter,
      );
    }
    assert.equal((await listOf(alice)).length, 6);
    assert.equal((await listOf(alice, 'starred=false&screenshots=true')).length, 6);
    await alice.refused(400, 2400, 'GET', '/api/v2/files/timeline?kind=AUDIO');
  });

  test('show in a shared drive only the own stars', inFull, async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    const { id } = await createDrive(alice, 'Team', [{ person: bob, role: 'EDITOR' }]);
    const [ofAlice, ofBob] = [inDrive(alice, id), inDrive(bob, id)];
    const file = await upload(ofAlice, '/a.png', makePng(), 'image/png');
    await ofAlice.ask('PUT', `/api/v2/files/${file.id}/star`);
    const starred = async (person: Person) => (await listOf(person, 'starred=true')).length;
    assert.deepEqual([await starred(ofAlice), await starred(ofBob)], [1, 0]);
  });
});

test('pictures have the size in which they appear, and videos their length', async () => {
  const alice = await holdall.register('alice');
  await upload(alice, '/wide.png', makePng(40, 30), 'image/png');
  const turned = makeJpegWithExif(makeExif({ taken: '2020:01:01 00:00:00', orientation: 6 }));
  const file = await upload(alice, '/turned.jpg', turned, 'image/jpeg');
  await upload(alice, '/clip.mp4', makeMovie(0, { duration: 12.5 }), 'video/mp4');
  await alice.upload('/unknown.png', 'no picture', 'image/png');
  const { metadata } = await alice.details(file);
  const shapes = (await listOf(alice)).map((item) => [
    item.filename,
    [item.width, item.height, item.duration],
  ]);
  assert.deepEqual(Object.fromEntries(shapes), {
    'wide.png': [40, 30, null],
    'turned.jpg': [Number(metadata['media:height']), Number(metadata['media:width']), null],
    'clip.mp4': [null, null, 12.5],
    'unknown.png': [null, null, null],
  });
});

describe('the directories that an account leaves out', () => {
  const namesOf = async (person: Person) => (await listOf(person)).map(({ filename }) => filename);
  const exclude = (person: Person, { id }: { id: number }, method: 'PUT' | 'DELETE' = 'PUT') =>
    person.ask('DELETE' === method ? 'DELETE' : 'PUT', `/api/v2/files/${id}/timeline-exclusion`);
  const excludedOf = async (person: Person) =>
    (await person.ask<readonly EntryRecord[]>('GET', '/api/v2/files/timeline/exclusions')).map(
      ({ path }) => path,
    );

  test('are missing with everything below them, also in the counts, until they are shown again', async () => {
    const cleo = await holdall.register('cleo');
    const memes = await cleo.mkdir('/Memes');
    await cleo.mkdir('/Memes/Old');
    await upload(cleo, '/Memes/cat.png', makePng(), 'image/png');
    await upload(cleo, '/Memes/Old/dog.png', makePng(), 'image/png');
    await upload(cleo, '/Pictures/sea.png', makePng(), 'image/png');
    for (let times = 0; times < 2; times += 1) await exclude(cleo, memes);
    assert.deepEqual(await namesOf(cleo), ['sea.png']);
    assert.deepEqual(await excludedOf(cleo), ['/Memes']);
    const months = await cleo.ask<{ readonly count: number }[]>('GET', '/api/v2/files/timeline/months');
    assert.deepEqual(
      months.map(({ count }) => count),
      [1],
    );
    await cleo.ask('PATCH', `/api/files/${memes.id}/move`, { body: { path: '/Pictures' } });
    assert.deepEqual(await namesOf(cleo), ['sea.png'], 'a moved directory is still left out');
    assert.deepEqual(await excludedOf(cleo), ['/Pictures/Memes']);
    await exclude(cleo, memes, 'DELETE');
    assert.deepEqual((await namesOf(cleo)).sort(), ['cat.png', 'dog.png', 'sea.png']);
    assert.deepEqual(await excludedOf(cleo), []);
  });

  test('are those of one account, and no files', async () => {
    const dan = await holdall.register('dan');
    const eve = await holdall.register('eve');
    const file = await upload(dan, '/one.png', makePng(), 'image/png');
    await assert.rejects(exclude(dan, file));
    await assert.rejects(exclude(eve, await dan.mkdir('/Private')), 'the directory of someone else');
    assert.deepEqual(await excludedOf(dan), []);
  });

  test('are at most 100, and recycled ones are not listed', async () => {
    const fay = await holdall.register('fay');
    const first = await fay.mkdir('/0');
    await exclude(fay, first);
    for (let at = 1; at < 100; at += 1) await exclude(fay, await fay.mkdir(`/${at}`));
    const last = await fay.mkdir('/100');
    await assert.rejects(exclude(fay, last));
    await exclude(fay, first);
    await fay.ask('DELETE', `/api/files/${first.id}`);
    assert.equal((await excludedOf(fay)).length, 99);
    await exclude(fay, last);
    assert.equal((await excludedOf(fay)).length, 100);
  });
});
