// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { toNameColumns } from '../../src/database/name-columns.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { makeExif, makeJpegWithExif, makeMovie } from '../support/media/exif-files.ts';
import { makePng } from '../support/media/pictures.ts';
import { queueTask, waitFor, waitForStatus } from '../support/tasks/tasks.ts';

interface Taken {
  readonly takenAt: string | null;
  readonly localTime: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
}

interface TimelinePage {
  readonly items: readonly (EntryRecord & Taken)[];
  readonly next: string | null;
}

const holdall = await startHoldall();
const { database } = holdall.app;

const timelineOf = (person: Person, query = 'size=1000') =>
  person.ask<TimelinePage>('GET', `/api/v2/files/timeline?${query}`);
const namesOf = async (person: Person) => (await timelineOf(person)).items.map(({ filename }) => filename);
interface MonthCount {
  readonly month: string;
  readonly count: number;
  readonly days: readonly { readonly day: number; readonly count: number }[];
}

const daysOf = (person: Person) => person.ask<readonly MonthCount[]>('GET', '/api/v2/files/timeline/months');
const listDays = async (person: Person) =>
  (await daysOf(person)).flatMap(({ month, days }) => days.map(({ day, count }) => [month, day, count]));
const monthsOf = async (person: Person) =>
  (await daysOf(person)).map(({ month, count }) => ({ month, count }));

/** Uploads a file, and waits until its metadata is known. */
async function upload(
  person: Person,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  { type = 'image/jpeg', modifiedAt = '' } = {},
): Promise<EntryRecord> {
  const form = formOf(path, bytes, type);
  if (modifiedAt !== '') form.set('modifiedAt', modifiedAt);
  const file = await person.ask<EntryRecord>('POST', '/api/files/upload', { body: form });
  await waitForMetadata(person, file);
  return file;
}

const waitForMetadata = (person: Person, file: { id: number }) =>
  waitFor(
    async () => (await person.details(file)).metadata,
    (metadata) => Object.keys(metadata).length > 0,
    'the metadata',
  );

/** @param taken such as `2026:07:06 07:04:03` */
const photo = (taken: string, zone?: string) =>
  makeJpegWithExif(makeExif({ taken, ...(zone === undefined ? {} : { zone }) }));

const secondsOf = (instant: string) => 2_082_844_800 + Date.parse(instant) / 1_000;

describe('the timeline', () => {
  test('sorts pictures and videos by when they were taken, or else modified, newest first', async () => {
    const alice = await holdall.register('alice');
    const at = '2026-05-01T12:00:00.000Z';
    await upload(alice, '/a.png', makePng(), { type: 'image/png', modifiedAt: at });
    await upload(alice, '/d/b.jpg', photo('2026:05:01 11:00:00', '+02:00'), {
      modifiedAt: '2027-01-01T00:00:00Z',
    });
    await upload(alice, '/c.jpg', photo('2026:05:01 12:30:00'));
    await upload(alice, '/d/e/d.mp4', makeMovie(secondsOf('2026-05-01T11:30:00Z')), { type: 'video/mp4' });
    await alice.upload('/letter.pdf', 'x', 'application/pdf');
    await alice.upload('/song.mp3', 'x', 'audio/mpeg');
    const { items, next } = await timelineOf(alice);
    assert.deepEqual(
      items.map(({ path, takenAt, localTime }) => [path, takenAt, localTime]),
      [
        ['/c.jpg', '2026-05-01T12:30:00.000Z', '2026-05-01T12:30:00'],
        ['/a.png', null, '2026-05-01T12:00:00'],
        ['/d/e/d.mp4', '2026-05-01T11:30:00.000Z', '2026-05-01T11:30:00'],
        ['/d/b.jpg', '2026-05-01T09:00:00.000Z', '2026-05-01T11:00:00'],
      ],
    );
    assert.equal(next, null);
    const record = (await alice.list('/')).items.find(({ filename }) => filename === 'a.png');
    const taken = { takenAt: null, localTime: '2026-05-01T12:00:00' };
    assert.deepEqual(items[1], { ...record, ...taken, width: 2, height: 2, duration: null });
    const { metadata } = await alice.details(items[3] ?? assert.fail());
    assert.equal(metadata['media:takenAt'], '2026-05-01T11:00:00+02:00');
    assert.equal(metadata['media:orientation'], '1');
  });

  test('keeps the position of copied, restored and imported files', async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    const first = await upload(alice, '/tree/first.jpg', photo('2020:01:01 00:00:00'));
    await upload(alice, '/second.jpg', photo('2021:01:01 00:00:00'));
    const tree = await alice.list('/').then(({ items }) => items.find(({ filename }) => filename === 'tree'));
    assert.ok(tree);
    await alice.recycle(tree);
    assert.deepEqual(await namesOf(alice), ['second.jpg']);
    await alice.restore(tree);
    assert.deepEqual(await namesOf(alice), ['second.jpg', 'first.jpg']);
    await alice.copy(first, '/Documents');
    await alice.copy(tree, '/Pictures');
    assert.deepEqual(await namesOf(alice), ['second.jpg', 'first.jpg', 'first.jpg', 'first.jpg']);
    await alice.rename(first, 'renamed.jpg');
    assert.ok((await namesOf(alice)).includes('renamed.jpg'));
    const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
      body: { fileId: first.id },
    });
    await bob.ask('POST', `/api/v2/shares/${token}/import`, { body: { path: '/' } });
    assert.equal((await timelineOf(bob)).items[0]?.takenAt, '2020-01-01T00:00:00.000Z');
    await checkBooks(holdall);
  });

  test('updates the time when the content of a file changes', async () => {
    const alice = await holdall.register('alice');
    const file = await upload(alice, '/a.jpg', photo('2020:01:01 00:00:00'));
    const takenAt = async () => (await timelineOf(alice)).items[0]?.takenAt;
    const content = `/api/v2/files/${file.id}/content`;
    await alice.ask('PUT', content, { body: photo('2021:01:01 00:00:00') });
    await waitFor(takenAt, (found) => found === '2021-01-01T00:00:00.000Z', 'the new time');
    const [version] = await alice.ask<{ id: number }[]>('GET', `/api/v2/files/${file.id}/versions`);
    await alice.ask('POST', `/api/v2/files/${file.id}/versions/${version?.id}/restore`);
    await waitFor(takenAt, (found) => found === '2020-01-01T00:00:00.000Z', 'the old time');
    await alice.ask('PUT', `${content}?modifiedAt=2022-02-02`, { body: makePng() });
    await waitForMetadata(alice, file);
    assert.equal(await takenAt(), null);
    assert.deepEqual(await monthsOf(alice), [{ month: '2022-02', count: 1 }]);
  });

  test('sorts files with unread metadata by modification time until a task reads the metadata', async () => {
    const alice = await holdall.register('alice');
    const modifiedAt = '2024-04-04T00:00:00Z';
    const file = await upload(alice, '/a.jpg', photo('2020:01:01 00:00:00'), { modifiedAt });
    // Simulates a file whose metadata was not read when it was stored.
    await holdall.app.database.transact((tx) =>
      tx.updateTable('entry').set({ taken_at: null, taken_local: null }).where('id', '=', file.id).execute(),
    );
    assert.deepEqual(await monthsOf(alice), [{ month: '2024-04', count: 1 }]);
    await waitForStatus(alice, await queueTask(alice, file, { type: 'MEDIA_META' }), 'COMPLETED');
    assert.deepEqual(await monthsOf(alice), [{ month: '2020-01', count: 1 }]);
  });

  test('puts pictures and movies on the local day of the place where they were taken', async () => {
    const alice = await holdall.register('alice');
    const type = 'video/quicktime';
    const utc = secondsOf('2026-05-31T23:30:00Z');
    await upload(alice, '/camera.jpg', photo('2026:05:31 23:59:59'));
    await upload(alice, '/auckland.jpg', photo('2026:06:02 00:30:00', '+13:00'));
    await upload(alice, '/samoa.jpg', photo('2026:05:31 23:30:00', '-11:00'));
    await upload(alice, '/header.mp4', makeMovie(utc), { type: 'video/mp4' });
    await upload(alice, '/movie.mov', makeMovie(utc, { brand: 'qt  ', filmed: '2026-06-01T12:30:00+1300' }), {
      type,
    });
    const { items } = await timelineOf(alice);
    assert.deepEqual(
      items.map(({ filename, takenAt, localTime }) => [filename, takenAt, localTime]),
      [
        ['auckland.jpg', '2026-06-01T11:30:00.000Z', '2026-06-02T00:30:00'],
        ['movie.mov', '2026-05-31T23:30:00.000Z', '2026-06-01T12:30:00'],
        ['camera.jpg', '2026-05-31T23:59:59.000Z', '2026-05-31T23:59:59'],
        ['header.mp4', '2026-05-31T23:30:00.000Z', '2026-05-31T23:30:00'],
        ['samoa.jpg', '2026-06-01T10:30:00.000Z', '2026-05-31T23:30:00'],
      ],
    );
    assert.deepEqual(await listDays(alice), [
      ['2026-06', 2, 1],
      ['2026-06', 1, 1],
      ['2026-05', 31, 3],
    ]);
  });

  test('puts pictures of one instant on different local days, even across pages', async () => {
    const alice = await holdall.register('alice');
    await upload(alice, '/utc.jpg', photo('2026:06:01 10:30:00', '+00:00'));
    await upload(alice, '/west.jpg', photo('2026:05:31 23:30:00', '-11:00'));
    await upload(alice, '/east.jpg', photo('2026:06:01 23:30:00', '+13:00'));
    await upload(alice, '/later.jpg', photo('2026:05:31 23:30:01'));
    const walked: [string, string | null][] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await timelineOf(alice, next === '' ? 'size=1' : `size=1&before=${next}`);
      walked.push(...page.items.map(({ filename, takenAt }): [string, string | null] => [filename, takenAt]));
      next = page.next;
    }
    const instant = '2026-06-01T10:30:00.000Z';
    assert.deepEqual(walked, [
      ['east.jpg', instant],
      ['utc.jpg', instant],
      ['later.jpg', '2026-05-31T23:30:01.000Z'],
      ['west.jpg', instant],
    ]);
    assert.deepEqual(await listDays(alice), [
      ['2026-06', 1, 2],
      ['2026-05', 31, 2],
    ]);
    const second = await timelineOf(alice, 'size=2&page=1');
    assert.deepEqual(
      second.items.map(({ filename }) => filename),
      ['later.jpg', 'west.jpg'],
    );
  });

  test('puts a copy, and a file with new content, on the local day of the place', async () => {
    const alice = await holdall.register('alice');
    const file = await upload(alice, '/tree/a.jpg', photo('2020:01:02 00:30:00', '+13:00'));
    const tree = (await alice.list('/')).items.find(({ filename }) => filename === 'tree') ?? assert.fail();
    await alice.copy(file, '/Documents');
    await alice.copy(tree, '/Pictures');
    assert.deepEqual(await listDays(alice), [['2020-01', 2, 3]]);
    await alice.ask('PUT', `/api/v2/files/${file.id}/content`, { body: photo('2021:01:01 12:00:00') });
    const found = () => listDays(alice);
    await waitFor(found, (days) => days[0]?.join() === '2021-01,1,1', 'the new day');
    assert.deepEqual(await found(), [
      ['2021-01', 1, 1],
      ['2020-01', 2, 2],
    ]);
  });

  test('contains only the files of its owner', async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    await upload(alice, '/a.jpg', photo('2020:01:01 00:00:00'));
    assert.deepEqual(await timelineOf(bob), { items: [], next: null });
    assert.deepEqual(await monthsOf(bob), []);
  });
});

describe('pages of the timeline', () => {
  test('contain each file once while others are added, also files of the same second', async () => {
    const alice = await holdall.register('alice');
    const names: string[] = [];
    for (let number = 0; number < 9; number += 1) {
      await upload(alice, `/${number}.jpg`, photo(`2020:01:01 00:00:0${Math.floor(number / 4)}`));
      names.unshift(`${number}.jpg`);
    }
    const walked: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await timelineOf(alice, next === '' ? 'size=4' : `size=4&before=${next}`);
      walked.push(...page.items.map(({ filename }) => filename));
      next = page.next;
      if (walked.length === 4) await upload(alice, '/newer.jpg', photo('2030:01:01 00:00:00'));
    }
    assert.deepEqual(walked, names);
    const pageOf = async (query: string) =>
      (await timelineOf(alice, query)).items.map(({ filename }) => filename);
    assert.deepEqual(await pageOf('size=4&page=1'), names.slice(3, 7));
    const { next } = await timelineOf(alice, 'size=3');
    assert.deepEqual(await pageOf(`size=4&page=1&before=${next}`), names.slice(6));
    assert.deepEqual(await timelineOf(alice, 'size=1000&page=100'), { items: [], next: null });
  });

  test('reject an invalid cursor', async () => {
    const alice = await holdall.register('alice');
    for (const query of [
      'before=',
      'before=x',
      `before=${'A'.repeat(65)}`,
      'before=MTow&before=MTow',
      'size=0',
      'size=x',
      'page=-1',
      `page=${Number.MAX_SAFE_INTEGER}`,
    ]) {
      await alice.refused(400, 2400, 'GET', `/api/v2/files/timeline?${query}`);
    }
    assert.deepEqual(await timelineOf(alice, `before=${Buffer.from('0:0').toString('base64url')}`), {
      items: [],
      next: null,
    });
  });
});

test('of more than 1,200 months only the newest are listed', inFull, async () => {
  const alice = await holdall.register('alice');
  const { id } = await alice.upload('/0.png', 'a', 'image/png');
  const { id: _id, ...row } = await database.db
    .selectFrom('entry')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 1_250 }, (_, index) => {
    const name = `${index}.png`;
    return { ...row, ...toNameColumns(name), name, taken_local: Date.UTC(1900, index, 15) };
  });
  await database.transact(async (tx) => {
    for (let from = 0; from < rows.length; from += 250) {
      await tx
        .insertInto('entry')
        .values(rows.slice(from + (from === 0 ? 1 : 0), from + 250))
        .execute();
    }
  });
  const months = await monthsOf(alice);
  assert.equal(months.length, 1_200);
  assert.deepEqual([months[0]?.month.slice(0, 3), months.at(-1)?.month], ['202', '1904-04']);
});

test('months follow the local times, newest first, and together count all files of the timeline', async () => {
  const alice = await holdall.register('alice');
  for (const [name, taken, zone] of [
    ['a', '2026:12:31 23:30:00', undefined],
    ['b', '2026:12:31 23:30:00', '-02:00'],
    ['c', '2027:01:01 00:30:00', '+01:00'],
    ['d', '1969:12:31 23:59:59', undefined],
    ['e', '1970:01:01 00:00:00', undefined],
    ['f', '1900:02:28 12:00:00', undefined],
    ['g', '9999:12:31 23:59:59', undefined],
    ['h', '2024:02:29 12:00:00', undefined],
  ] as const) {
    await upload(alice, `/${name}.jpg`, photo(taken, zone));
  }
  assert.deepEqual(await monthsOf(alice), [
    { month: '9999-12', count: 1 },
    { month: '2027-01', count: 1 },
    { month: '2026-12', count: 2 },
    { month: '2024-02', count: 1 },
    { month: '1970-01', count: 1 },
    { month: '1969-12', count: 1 },
    { month: '1900-02', count: 1 },
  ]);
  assert.deepEqual(
    (await daysOf(alice)).flatMap(({ month, days }) => days.map(({ day, count }) => [month, day, count])),
    [
      ['9999-12', 31, 1],
      ['2027-01', 1, 1],
      ['2026-12', 31, 2],
      ['2024-02', 29, 1],
      ['1970-01', 1, 1],
      ['1969-12', 31, 1],
      ['1900-02', 28, 1],
    ],
  );
  assert.deepEqual(
    await namesOf(alice),
    ['g', 'c', 'b', 'a', 'h', 'e', 'd', 'f'].map((name) => `${name}.jpg`),
  );
});
