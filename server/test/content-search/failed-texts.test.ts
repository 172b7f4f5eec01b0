// tier: default
// runs on: sqlite, postgres
// Texts that cannot be taken: failures of files, of stores and of the service. The tests decide when a text
// is taken.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/failure.ts';
import { analyseText } from '../../src/content-search/analysis/terms.ts';
import { ContentSearch } from '../../src/content-search/content-search.ts';
import { queueNextGivenUp } from '../../src/content-search/queries.ts';
import { ChildKilled, type Extraction, SourceError, TextExtraction } from '../../src/texts/texts.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { AT_REST } from '../support/content-search/at-rest.ts';
import { PlainTexts, pathsWith, takeTexts } from '../support/content-search/plain-texts.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const extraction = new PlainTexts();
const holdall = await startHoldall({
  // The clock is advanced by days.
  env: { HOLDALL_ACCESS_TOKEN_TTL: '365d' },
  extraction,
});
await withoutDirect(holdall);
const { app, clock } = holdall;
const { db } = app.database;
const alice = await holdall.register('alice');
const { signal: never } = new AbortController();
clock.stop();

beforeEach(async () => {
  extraction.before = async () => undefined;
  await app.contentSearch.retryGivenUp();
  clock.advance(2 * DAY);
  await takeTexts(holdall);
  extraction.taken.length = 0;
});
afterEach(async () => {
  extraction.before = async () => undefined;
  await checkBooks(holdall);
});

const write = (at: string, text: string) => alice.upload(at, text, 'text/plain');
const figures = () => app.contentSearch.describe();
const tryAgain = (): Extraction => ({ reason: 'try-again', cause: new Error('no memory') });
const outage = new Failure('unavailable', 'The store does not answer.');

/** The state and the attempts of what waits. */
async function listWaiting(): Promise<readonly string[]> {
  const query = db.selectFrom('text_queue').select(['state', 'attempts']).where('due_at', 'is not', null);
  return (await query.execute()).map(({ state, attempts }) => `${state} ${attempts}`);
}

type Parts = ConstructorParameters<typeof ContentSearch>[0];

/** Another instance. */
function beside(parts: Pick<Parts, 'extraction'> & Partial<Parts>): ContentSearch {
  const { database, blobs } = app;
  return new ContentSearch({
    ...{ database, clock, blobs, isOn: true, pressure: AT_REST, concurrent: 2, onFault: () => {} },
    ...parts,
  });
}

/** Runs an instance that claims texts and never gives them back, as if it was killed. @returns the texts */
async function loseTexts(): Promise<readonly string[]> {
  const lost = new PlainTexts();
  const [begun, stop] = [Promise.withResolvers<void>(), new AbortController()];
  lost.before = () => {
    begun.resolve();
    return new Promise(() => {});
  };
  void beside({ extraction: lost }).indexing.run(stop.signal);
  await begun.promise;
  stop.abort();
  return lost.taken;
}

async function takeUntilGivenUp(): Promise<void> {
  for (const delay of [0, MINUTE, 10 * MINUTE, HOUR, DAY]) {
    clock.advance(delay);
    await takeTexts(holdall);
  }
}

describe('a file whose text cannot be taken', () => {
  test('is tried five times, with growing delays', async () => {
    extraction.before = async () => tryAgain();
    await write('/unlucky.txt', 'unlucky');
    const failedAt = clock.now();
    await takeTexts(holdall);
    const { lastError, lastErrorAt } = await figures();
    assert.deepEqual([lastError, lastErrorAt], ['no memory', failedAt]);
    for (const [index, delay] of [MINUTE, 10 * MINUTE, HOUR, DAY].entries()) {
      clock.advance(delay - 1);
      await takeTexts(holdall);
      assert.equal(extraction.taken.length, index + 1);
      clock.advance(1);
      await takeTexts(holdall);
      assert.equal(extraction.taken.length, index + 2);
    }
    assert.equal((await figures()).givenUp, 1);
    clock.advance(2 * DAY);
    await takeTexts(holdall);
    assert.equal(extraction.taken.length, 5);
    // Nothing waits.
    assert.equal((await figures()).lastError, null);
  });

  test('is tried again on request', async () => {
    extraction.before = async () => tryAgain();
    await write('/again.txt', 'again');
    await takeUntilGivenUp();
    assert.equal((await figures()).givenUp, 1);
    extraction.before = async () => undefined;
    assert.equal(await app.contentSearch.retryGivenUp(), 1);
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'again'), ['/again.txt']);
    assert.equal((await figures()).givenUp, 0);
  });

  for (const [cause, most] of [
    [new Error('no memory'), 2],
    [new ChildKilled('The process was killed.'), 1],
  ] as const) {
    test(`is tried again ${most === 1 ? 'alone' : 'beside others'} after: ${cause.message}`, async () => {
      extraction.before = async () => ({ reason: 'try-again', cause });
      for (const name of ['1', '2']) await write(`/beside${most}/${name}`, `beside${most}${name}`);
      await takeTexts(holdall);
      clock.advance(MINUTE);
      const [held, other] = [Promise.withResolvers<undefined>(), Promise.withResolvers<void>()];
      let running = 0;
      let together = 0;
      extraction.before = async () => {
        running += 1;
        together = Math.max(together, running);
        if (running === 2) other.resolve();
        await (most === 2 ? held.promise : nextTurn());
        running -= 1;
        return undefined;
      };
      const run = beside({ extraction }).indexing.run(never);
      if (most === 2) await other.promise;
      held.resolve(undefined);
      await run;
      assert.equal(together, most);
      assert.equal((await pathsWith(alice, `beside${most}1`)).length, 1);
    });
  }

  test('is queued again in batches', async () => {
    extraction.before = async () => tryAgain();
    for (const name of ['1', '2', '3']) await write(`/batches/${name}`, `batches${name}`);
    await takeUntilGivenUp();
    const page = { limit: 2, now: clock.now() };
    for (const queued of [2, 1, 0]) {
      assert.equal(await app.database.transact((tx) => queueNextGivenUp(tx, page)), queued);
    }
    assert.deepEqual(await listWaiting(), ['WAITING 0', 'WAITING 0', 'WAITING 0']);
  });

  test('keeps the text that was taken before', async () => {
    await write('/kept.txt', 'kept');
    await takeTexts(holdall);
    await app.contentSearch.rebuild(never);
    const { indexed } = await figures();
    extraction.before = async (name) => (name === 'kept.txt' ? tryAgain() : undefined);
    await takeUntilGivenUp();
    assert.equal((await figures()).givenUp, 1);
    assert.equal((await figures()).indexed, indexed);
    assert.deepEqual(await pathsWith(alice, 'kept'), ['/kept.txt']);
  });

  test('loses it if there is none any more', async () => {
    await write('/emptied.txt', 'emptied');
    await takeTexts(holdall);
    await app.contentSearch.rebuild(never);
    extraction.before = async (name) => (name === 'emptied.txt' ? { reason: 'damaged' } : undefined);
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'emptied'), []);
  });

  test('waits without counting while its store cannot be reached, and does not hold up others', async () => {
    extraction.before = async (name) => {
      if (name.startsWith('far')) throw new SourceError(outage);
      return undefined;
    };
    await write('/far.txt', 'far');
    await write('/near.txt', 'near');
    for (let round = 0; round < 8; round += 1) {
      await takeTexts(holdall);
      clock.advance(MINUTE);
    }
    assert.deepEqual(await pathsWith(alice, 'near'), ['/near.txt']);
    assert.deepEqual(await listWaiting(), ['WAITING 0']);
    extraction.before = async () => undefined;
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'far'), ['/far.txt']);
  });

  for (const [what, error, directory] of [
    ['does not answer', outage, 'outage'],
    ['rejects the credentials', new Error('The object store rejects requests for the bucket.'), 'rejection'],
  ] as const) {
    test(`is not given up while its store ${what}, and neither are those behind it`, async () => {
      for (let index = 0; index < 12; index += 1)
        await write(`/${directory}/${index}`, `${directory}${index}`);
      const real = new TextExtraction();
      let opened = 0;
      const blobs = {
        open: async () => {
          opened += 1;
          throw error;
        },
      };
      const far = beside({ extraction: real, blobs });
      for (let round = 0; round < 3; round += 1) {
        await assert.rejects(far.indexing.run(never), error);
        clock.advance(10 * MINUTE);
      }
      // The runs end early.
      assert.ok(opened < 20, String(opened));
      assert.deepEqual(new Set(await listWaiting()), new Set(['WAITING 0']));
      await real.close();
      await takeTexts(holdall);
      assert.deepEqual(await pathsWith(alice, `${directory}7`), [`/${directory}/7`]);
    });
  }

  test('does not stop the texts of other stores that are being taken', async () => {
    const held = Promise.withResolvers<undefined>();
    extraction.before = (name) => {
      if (name === 'slow.txt') return held.promise;
      throw new SourceError(outage);
    };
    await write('/slow.txt', 'slow');
    for (let index = 0; index < 8; index += 1) await write(`/gone/${index}`, `gone${index}`);
    const run = assert.rejects(beside({ extraction }).indexing.run(never), outage);
    await waitUntil('four files could not be read', async () => {
      const { rows } = await sql`select 1 from text_queue where due_at > ${clock.now()}
        and state = 'WAITING'`.execute(db);
      return rows.length >= 4;
    });
    held.resolve(undefined);
    await run;
    assert.equal(extraction.taken.length, 5);
    assert.deepEqual(await pathsWith(alice, 'slow'), ['/slow.txt']);
  });

  test('counts if its text cannot be analysed, and does not hold up others', async () => {
    await write('/odd.txt', 'odd');
    await write('/even.txt', 'even');
    const analyse: Parts['analyse'] = async (text) => {
      if (text === 'odd') throw new Error('no such character');
      return await analyseText(text);
    };
    await beside({ extraction, analyse }).indexing.run(never);
    assert.deepEqual(await listWaiting(), ['WAITING 1']);
    assert.equal((await figures()).lastError, 'no such character');
    assert.deepEqual(await pathsWith(alice, 'even'), ['/even.txt']);
  });

  const missing = new Error('The bytes are missing.', { cause: new Failure('not-found', 'No such object.') });

  test('counts if its bytes are lost', async () => {
    await write('/absent.txt', 'absent');
    const blobs = { open: () => Promise.reject(missing) };
    await beside({ extraction, blobs }).indexing.run(never);
    assert.deepEqual(await listWaiting(), ['WAITING 1']);
    assert.equal((await figures()).lastError, missing.message);
  });

  test('does not count if its bytes were moved meanwhile', async () => {
    await write('/moved.txt', 'moved');
    const setKey = (to: string) =>
      sabotage(
        holdall,
        `update blob set object_key = ${to} where id in (
      select blob_id from text_queue where due_at is not null)`,
      );
    let opened = 0;
    const blobs: Parts['blobs'] = {
      open: async (location) => {
        opened += 1;
        if (opened === 1) {
          await setKey("object_key || 'x'");
          throw missing;
        }
        assert.match(location.objectKey, /x$/);
        await setKey('substr(object_key, 1, length(object_key) - 1)');
        return await app.blobs.open({ ...location, objectKey: location.objectKey.slice(0, -1) });
      },
    };
    await beside({ extraction, blobs }).indexing.run(never);
    assert.deepEqual(await pathsWith(alice, 'moved'), ['/moved.txt']);
    assert.equal((await figures()).lastError, null);
  });

  test('is not taken while nothing refers to it', async () => {
    const file = await write('/unused.txt', 'unused');
    await alice.recycle(file);
    const lost = await loseTexts();
    assert.deepEqual(lost, ['unused.txt']);
    await alice.purge(file);
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken, []);
    clock.advance(2 * DAY);
    await app.sweeper.sweep(never);
    assert.deepEqual(await listWaiting(), []);
  });
});

test('texts that are being taken are given back when the service stops, without counting', async () => {
  for (let index = 0; index < 8; index += 1) await write(`/stopped/${index}`, `stopped${index}`);
  const stop = new AbortController();
  extraction.before = async (_name, signal) => {
    stop.abort(new Error('stopping'));
    signal.throwIfAborted();
    return undefined;
  };
  await assert.rejects(beside({ extraction }).indexing.run(stop.signal), /stopping/);
  assert.deepEqual(
    await listWaiting(),
    Array.from({ length: 8 }, () => 'WAITING 0'),
  );
});

describe('texts that were claimed by a service that has died', () => {
  test('are taken at once by the next one, each alone', async () => {
    for (const name of ['1', '2', '3', '4']) await write(`/lost/${name}`, `lost${name}`);
    assert.ok((await loseTexts()).length > 0);
    let running = 0;
    extraction.before = async (name) => {
      running += 1;
      await nextTurn();
      assert.ok(running === 1, name);
      running -= 1;
      return undefined;
    };
    await beside({ extraction, concurrent: 4 }).indexing.run(never);
    assert.deepEqual(extraction.taken.toSorted(), ['1', '2', '3', '4']);
    for (const name of ['1', '2', '3', '4']) {
      assert.deepEqual(await pathsWith(alice, `lost${name}`), [`/lost/${name}`]);
    }
  });

  test('are given up when it dies during each attempt', async () => {
    await write('/fatal.txt', 'fatal');
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      if (attempt > 2) {
        // Not at once, so the service is up for a while.
        await takeTexts(holdall);
        clock.advance(10 * MINUTE);
      }
      assert.deepEqual(await loseTexts(), ['fatal.txt']);
    }
    await takeTexts(holdall);
    assert.deepEqual(await listWaiting(), ['WAITING 5']);
    clock.advance(10 * MINUTE);
    await takeTexts(holdall);
    assert.deepEqual(extraction.taken, []);
    assert.equal((await figures()).givenUp, 1);
  });

  test('are found after kill -9', async () => {
    await write('/killed.txt', 'killed');
    const program = path.join(import.meta.dirname, '../support/content-search/dying-indexing.ts');
    const { dataDir, databaseUrl, storage } = holdall;
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH,
        HOLDALL_DATA_DIR: dataDir,
        ...(databaseUrl === undefined ? {} : { HOLDALL_DATABASE_URL: databaseUrl }),
        ...storage.env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const [line] = await once(createInterface(child.stdout), 'line');
    assert.equal(line, 'killed.txt');
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(await listWaiting(), ['CLAIMED 1']);
    // The lease of the dead service ends.
    clock.advance(HOUR);
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(alice, 'killed'), ['/killed.txt']);
  });
});
