// tier: default
// runs on: sqlite, postgres
// The queue of texts: its order and its races. The tests decide when a text is taken.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { DAY, HOUR } from '../../src/base/clock.ts';
import { ContentSearch } from '../../src/content-search/content-search.ts';
import type { Outcome } from '../../src/content-search/indexing/text-attempts.ts';
import { TextWriter } from '../../src/content-search/indexing/text-writer.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { AT_REST } from '../support/content-search/at-rest.ts';
import { PlainTexts, pathsWith, takeTexts } from '../support/content-search/plain-texts.ts';
import { createManagedDrive, inDrive } from '../support/drives/shared-drives.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';
import { type PeerSession, TRANSFERS } from '../support/transfer/transfer.ts';

const extraction = new PlainTexts();
let isDiskFull = false;
const holdall = await startHoldall({
  // The clock is advanced by days.
  env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' },
  extraction,
  pressure: { ...AT_REST, isDiskFull: async () => isDiskFull },
});
await withoutDirect(holdall);
const { app, clock } = holdall;
const { db } = app.database;
const alice = await holdall.register('alice');
clock.stop();

beforeEach(async () => {
  extraction.before = async () => undefined;
  await takeTexts(holdall);
  extraction.taken.length = 0;
});
afterEach(async () => {
  extraction.before = async () => undefined;
  await checkBooks(holdall);
});

const write = (path: string, text: string, person: Person = alice) => person.upload(path, text, 'text/plain');
const figures = () => app.contentSearch.describe();

/** A second instance's view of the queue. */
function beside(concurrent = 2, pressure = AT_REST): ContentSearch {
  const { database, blobs } = app;
  return new ContentSearch({
    ...{ database, clock, blobs, extraction, isOn: true, pressure, concurrent },
    onFault: () => {},
  });
}

describe('the queue', () => {
  test('takes each content once, however many files have it', async () => {
    const file = await write('/once.txt', 'once');
    await alice.mkdir('/copies');
    await alice.copy(file, '/copies');
    assert.equal(await app.contentSearch.indexing.hasWork(), true);
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken, ['once.txt']);
    assert.equal(await app.contentSearch.indexing.hasWork(), false);
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken, ['once.txt']);
  });

  test('notices files that have no text, and files that are empty', async () => {
    const before = await figures();
    extraction.before = async (name) => (name === 'none' ? { reason: 'encrypted' } : undefined);
    await write('/none', 'x');
    await write('/empty', '');
    await takeTexts(holdall);
    assert.equal((await figures()).withoutText, before.withoutText + 2);
    const rows = await db
      .selectFrom('text_queue')
      .select('reason')
      .where('state', '=', 'WITHOUT_TEXT')
      .execute();
    assert.deepEqual(new Set(rows.map(({ reason }) => reason)), new Set(['encrypted', 'empty']));
  });

  test('lets drives take turns, and takes new files before old ones', async () => {
    const shared = await createManagedDrive(holdall, [[alice, 'EDITOR']]);
    for (let index = 0; index < 20; index += 1) await write(`/turns/a${index}`, `a${index}`);
    for (let index = 0; index < 3; index += 1) await write(`/b${index}`, `b${index}`, inDrive(alice, shared));
    clock.advance(HOUR);
    await write('/turns/new', 'new');
    await takeTexts(holdall);
    const { taken } = extraction;
    assert.equal(taken[0], 'new');
    assert.ok(Math.max(...['b0', 'b1', 'b2'].map((name) => taken.indexOf(name))) < 16, taken.join());
    assert.equal(taken.length, 24);
  });

  test('finds texts while another one takes long', async () => {
    const held = Promise.withResolvers<undefined>();
    extraction.before = (name) => (name === 'slow.txt' ? held.promise : Promise.resolve(undefined));
    await write('/slow.txt', 'slow');
    for (let index = 0; index < 9; index += 1) await write(`/fast/${index}`, `fast${index}`);
    const running = beside(2).indexing.run(new AbortController().signal);
    await waitUntil('the others are found', async () => (await pathsWith(alice, 'fast8')).length === 1);
    assert.deepEqual(await pathsWith(alice, 'slow'), []);
    held.resolve(undefined);
    await running;
    assert.deepEqual(await pathsWith(alice, 'slow'), ['/slow.txt']);
  });

  test('takes the texts behind those of purged files', async () => {
    const purged = [];
    for (let index = 0; index < 20; index += 1) purged.push(await write(`/purged${index}`, `purged${index}`));
    await write('/behind.txt', 'behind');
    await takeTexts(holdall);
    extraction.taken.length = 0;
    await app.contentSearch.rebuild(new AbortController().signal);
    for (const file of purged) await alice.recycle(file);
    for (const file of purged) await alice.purge(file);
    await beside().indexing.run(new AbortController().signal);
    assert.ok(extraction.taken.includes('behind.txt'));
    assert.ok(!extraction.taken.some((name) => name.startsWith('purged')), extraction.taken.join());
    clock.advance(2 * DAY);
    await app.sweeper.sweep(new AbortController().signal);
  });

  test('takes a file that comes while older ones are taken', async () => {
    for (let index = 0; index < 20; index += 1) await write(`/backlog/${index}`, `backlog${index}`);
    clock.advance(HOUR);
    extraction.before = async () => {
      extraction.before = async () => undefined;
      await write('/newer', 'newer');
      return undefined;
    };
    await takeTexts(holdall);
    assert.ok(extraction.taken.indexOf('newer') < 10, extraction.taken.join());
  });

  test('keeps new files before older ones when all texts are taken again', async () => {
    for (let index = 0; index < 5; index += 1) await write(`/again/${index}`, `again${index}`);
    await takeTexts(holdall);
    await write('/newest', 'newest');
    isDiskFull = true;
    await takeTexts(holdall);
    isDiskFull = false;
    const stop = new AbortController();
    extraction.before = async () => {
      stop.abort(new Error('stopping'));
      return undefined;
    };
    await assert.rejects(beside().indexing.run(stop.signal), /stopping/);
    extraction.taken.length = 0;
    extraction.before = async () => undefined;
    await beside().rebuild(new AbortController().signal);
    await takeTexts(holdall);
    assert.equal(extraction.taken[0], 'newest');
  });

  test('passes a file that was stored while the clock was wrong', async () => {
    await write('/future.txt', 'future');
    await sabotage(holdall, `update blob set created_at = ${clock.now() + 400 * DAY}`);
    await takeTexts(holdall);
    await write('/present.txt', 'present');
    clock.advance(HOUR);
    await takeTexts(holdall);
    const [scan] = await db.selectFrom('text_scan').select('through_id').execute();
    const last = await db
      .selectFrom('blob')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    assert.equal(scan?.through_id, last?.id);
  });

  test('is filled again when its only record of the scan is lost', async () => {
    await sabotage(holdall, 'delete from text_scan');
    await write('/unrecorded.txt', 'unrecorded');
    assert.equal(await app.contentSearch.indexing.hasWork(), true);
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'unrecorded'), ['/unrecorded.txt']);
  });

  test('does nothing while the disk is nearly full', async () => {
    isDiskFull = true;
    await write('/later.txt', 'later');
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken, []);
    assert.equal(await app.contentSearch.isPaused(), true);
    isDiskFull = false;
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'later'), ['/later.txt']);
  });

  test('begins no text after a fault', async () => {
    await write('/faulty.txt', 'faulty');
    const [failing, failed] = [Promise.withResolvers<undefined>(), Promise.withResolvers<void>()];
    extraction.before = async () => {
      await failing.promise;
      throw new Error('not a text');
    };
    let claims = 0;
    const isDiskFull = async () => {
      claims += 1;
      if (claims === 2) {
        await write('/unbegun.txt', 'unbegun');
        failing.resolve(undefined);
        await failed.promise;
        await nextTurn();
      }
      return false;
    };
    const onFault = () => {
      failed.resolve();
      throw new Error('no log');
    };
    const { database, blobs } = app;
    const { indexing } = new ContentSearch({
      ...{ database, clock, blobs, extraction, isOn: true, concurrent: 2 },
      ...{ pressure: { ...AT_REST, isDiskFull }, onFault },
    });
    await assert.rejects(indexing.run(new AbortController().signal), /no log/);
    assert.deepEqual(extraction.taken, ['faulty.txt']);
  });

  test('looks for load again after the clock was set back', async () => {
    let looks = 0;
    const isBusyFor = async () => {
      looks += 1;
      return false;
    };
    const { indexing } = beside(1, { ...AT_REST, isBusyFor });
    const { signal } = new AbortController();
    await indexing.run(signal);
    assert.equal(looks, 1);
    clock.advance(-HOUR);
    await waitUntil('it looked again', async () => {
      await indexing.run(signal);
      return looks > 1;
    });
    clock.advance(HOUR);
  });

  test('has the contents of imported transfers', async () => {
    const body = { mode: 'OFFLINE', files: [{ name: 'sent.txt', size: 11 }] };
    const made = await alice.ask<PeerSession>('POST', TRANSFERS, { body });
    const url = `${TRANSFERS}/${made.sessionId}/files/${made.files[0]?.id}`;
    const headers = { 'content-type': 'application/octet-stream' };
    await alice.ask('POST', `${url}/content`, { body: 'transferred', headers });
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken, []);
    await alice.ask('POST', `${url}/import`, { body: { path: '/transfers' } });
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'transferred'), ['/transfers/sent.txt']);
  });
});

describe('races', () => {
  test('runs that have lost their lease do no harm', async () => {
    for (let index = 0; index < 20; index += 1) await write(`/race/${index}`, `race${index}`);
    const { signal } = new AbortController();
    await Promise.all([beside(), beside(), beside()].map(({ indexing }) => indexing.run(signal)));
    // A text that two of them took from another is delayed.
    clock.advance(HOUR);
    await takeTexts(holdall);
    assert.equal((await figures()).waiting, 0);
    for (let index = 0; index < 20; index += 1) {
      assert.deepEqual(await pathsWith(alice, `race${index}`), [`/race/${index}`]);
    }
  });

  test('a content that is deleted while its text is taken leaves nothing behind', async () => {
    const file = await write('/deleted.txt', 'deleted');
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    extraction.before = () => {
      begun.resolve();
      return held.promise;
    };
    const running = takeTexts(holdall);
    await begun.promise;
    await alice.recycle(file);
    await alice.purge(file);
    clock.advance(2 * DAY);
    await app.sweeper.sweep(new AbortController().signal);
    held.resolve(undefined);
    await running;
    const rows = await db.selectFrom('text_queue').select('blob_id').execute();
    const blobs = await db.selectFrom('blob').select('id').execute();
    const known = new Set(blobs.map(({ id }) => id));
    assert.deepEqual(
      rows.filter(({ blob_id: id }) => !known.has(id)),
      [],
    );
  });

  test('a rebuild that begins while a text is taken takes it again', async () => {
    await write('/rebuilt.txt', 'rebuilt');
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    extraction.before = (name) => {
      if (name === 'rebuilt.txt') begun.resolve();
      return held.promise;
    };
    const running = takeTexts(holdall);
    await begun.promise;
    await beside().rebuild(new AbortController().signal);
    extraction.before = async () => undefined;
    held.resolve(undefined);
    await running;
    assert.equal(extraction.taken.filter((name) => name === 'rebuilt.txt').length, 2);
    assert.deepEqual(await pathsWith(alice, 'rebuilt'), ['/rebuilt.txt']);
    assert.equal((await figures()).waiting, 0);
  });
});

test('an outcome that cannot be written fails alone', async () => {
  const faults: unknown[] = [];
  const written: number[] = [];
  const outcomeOf = (blobId: number, error?: Error): Outcome => ({
    claimed: { blobId, attempt: 1, isSuspect: false, policyId: 1, objectKey: '', name: '', size: 1 },
    terms: 1,
    write: async () => {
      if (error !== undefined) throw error;
      written.push(blobId);
    },
  });
  const writer = new TextWriter(app.database, ({ claimed: { blobId } }, error) => {
    faults.push(error);
    return outcomeOf(blobId + 100);
  });
  const fault = new Error('not a text');
  await Promise.all([
    writer.write(outcomeOf(4)),
    ...[3, 1].map((id) => writer.write(outcomeOf(id))),
    writer.write(outcomeOf(2, fault)),
  ]);
  assert.deepEqual(faults, [fault]);
  // The first one alone. The others together, in the order of their ids, until one fails.
  assert.deepEqual(written, [4, 1, 1, 102, 3]);
});
