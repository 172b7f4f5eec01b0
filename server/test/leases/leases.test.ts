// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { type MaintenanceJob, MaintenanceSchedule } from '../../src/app/schedule.ts';
import { MINUTE } from '../../src/base/clock.ts';
import { Database, type Tx } from '../../src/database/database.ts';
import { JobRuns } from '../../src/job-runs/job-runs.ts';
import { Leases } from '../../src/leases/leases.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openEngine, openTestDatabase } from '../support/database/open-database.ts';

const under = await openTestDatabase();
const { database } = under;
const clock = new TestClock();
const one = new Leases(database, clock, 'one');
const other = new Leases(database, clock, 'other');
const runs = new JobRuns(database, clock, assert.ifError);

describe('a lease', () => {
  it('lets only one of two instances work at a time', async () => {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const working = one.runExclusively('work', MINUTE, async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    assert.equal(await other.runExclusively('work', MINUTE, neverCalled), false);
    end.resolve();
    assert.equal(await working, true);
    assert.equal(await other.runExclusively('work', MINUTE, async () => {}), true);
  });

  it('is acquired by only one of many concurrent instances at a time', async () => {
    const instances = Array.from({ length: 12 }, (_, index) => new Leases(database, clock, `crowd-${index}`));
    let working = 0;
    let waiting = instances.length - 1;
    const othersHaveTried = Promise.withResolvers<void>();
    const ends = await Promise.all(
      instances.map(async (leases) => {
        const isAcquired = await leases.runExclusively('crowd', MINUTE, async () => {
          working += 1;
          assert.equal(working, 1);
          await othersHaveTried.promise;
          working -= 1;
        });
        if (!isAcquired) waiting -= 1;
        if (waiting === 0) othersHaveTried.resolve();
        return isAcquired;
      }),
    );
    assert.ok(ends.includes(true));
  });

  it('does not block a lease with another name', async () => {
    const ends: boolean[] = [];
    await one.runExclusively('this', MINUTE, async () => {
      ends.push(await other.runExclusively('that', MINUTE, async () => {}));
    });
    assert.deepEqual(ends, [true]);
  });

  it('is released when the work fails', async () => {
    await assert.rejects(
      one.runExclusively('failing', MINUTE, () => Promise.reject(new Error('on purpose'))),
      /on purpose/,
    );
    assert.equal(await other.runExclusively('failing', MINUTE, async () => {}), true);
  });

  it('of a crashed holder can be acquired only once it has expired', async () => {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const working = one.runExclusively('crashed', MINUTE, async () => {
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    clock.advance(MINUTE / 2);
    assert.equal(await other.runExclusively('crashed', MINUTE, neverCalled), false);
    clock.advance(MINUTE / 2);
    assert.equal(await other.runExclusively('crashed', MINUTE, async () => {}), true);
    end.resolve();
    await working;
  });

  it('is not released by an earlier holder that lost it', async () => {
    const hold = async (leases: Leases) => {
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const working = leases.runExclusively('lost', MINUTE, () => {
        begun.resolve();
        return end.promise;
      });
      await begun.promise;
      return async () => {
        end.resolve();
        await working;
      };
    };
    const endEarlier = await hold(one);
    clock.advance(MINUTE + 1);
    const endLater = await hold(other);
    await endEarlier();
    assert.equal(await one.runExclusively('lost', MINUTE, neverCalled), false);
    await endLater();
    assert.equal(await one.runExclusively('lost', MINUTE, async () => {}), true);
  });

  it('is extended while the work runs', inFull, async () => {
    const durationMs = 5_000;
    const end = Promise.withResolvers<void>();
    const working = one.runExclusively('long', durationMs, () => end.promise);
    const begun = clock.now();
    // Waits longer than the lease would last without being extended.
    while (clock.now() < begun + durationMs + 500) {
      await sleep(200);
      assert.equal(await other.runExclusively('long', durationMs, neverCalled), false);
    }
    end.resolve();
    await working;
  });

  it('leaves no row when the work ends while the lease is being extended', async () => {
    const slow = new SlowToExtend(openEngine(under.url, under.directory));
    const working = new Leases(slow, clock, 'slow').runExclusively(
      'extended',
      60,
      () => slow.extending.promise,
    );
    await slow.extending.promise;
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    slow.mayExtend.resolve();
    await working;
    assert.equal(slow.transactions, 3);
    assert.deepEqual(await database.db.selectFrom('lease').selectAll().execute(), []);
    await slow.close();
  });
});

describe('the schedule', () => {
  it('runs its jobs on one instance at a time, and continues after a job that fails', async () => {
    const done: string[] = [];
    const mayEnd = Promise.withResolvers<void>();
    const jobs: readonly MaintenanceJob[] = [
      { name: 'failing', runOnce: () => Promise.reject(new Error('on purpose')) },
      {
        name: 'slow',
        runOnce: async () => {
          // If both instances run the job, the test must fail instead of waiting forever.
          if (done.includes('begun')) mayEnd.resolve();
          done.push('begun');
          await mayEnd.promise;
          done.push('ended');
        },
      },
    ];
    const [first, second] = [scheduleOf(one, jobs), scheduleOf(other, jobs)];
    const runs = [first.runOnce(), second.runOnce()];
    // The instance that does not get the lease ends its run first.
    await Promise.race(runs);
    mayEnd.resolve();
    await Promise.all(runs);
    assert.deepEqual(done, ['begun', 'ended']);
  });

  it('runs its jobs repeatedly', async () => {
    const [counts, later] = [countRuns(), countRuns()];
    const schedule = scheduleOf(one, [counts.job]);
    schedule.start();
    await waitUntil('the job ran twice', () => counts.runs >= 2);
    await schedule.stop();
    const before = counts.runs;
    const next = scheduleOf(one, [later.job]);
    next.start();
    await waitUntil('the job of a later schedule ran twice', () => later.runs >= 2);
    await next.stop();
    assert.equal(counts.runs, before);
  });

  it('runs its jobs within a minute after the start, even if the interval is longer', (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    let isRun = false;
    const runExclusively = async () => {
      isRun = true;
    };
    const schedule = new MaintenanceSchedule({
      leases: Object.assign(Object.create(one), { runExclusively }),
      runs,
      logger: pino({ level: 'silent' }),
      intervalMs: 86_400_000,
      jobs: [],
    });
    schedule.start();
    test.mock.timers.tick(60_000);
    assert.equal(isRun, true);
  });

  it('aborts a running job and releases its lease when it is stopped', async () => {
    const begun = Promise.withResolvers<void>();
    const schedule = scheduleOf(one, [
      {
        name: 'endless',
        runOnce: async (signal) => {
          begun.resolve();
          await once(signal, 'abort');
          signal.throwIfAborted();
        },
      },
    ]);
    schedule.start();
    await begun.promise;
    await schedule.stop();
    assert.deepEqual(await database.db.selectFrom('lease').selectAll().execute(), []);
  });
});

function countRuns() {
  const counts = {
    runs: 0,
    job: {
      name: 'count',
      runOnce: async () => {
        counts.runs += 1;
      },
    },
  };
  return counts;
}

function scheduleOf(leases: Leases, jobs: readonly MaintenanceJob[]): MaintenanceSchedule {
  return new MaintenanceSchedule({ leases, runs, logger: pino({ level: 'silent' }), intervalMs: 20, jobs });
}

async function neverCalled(): Promise<void> {
  assert.fail('another instance holds the lease');
}

/** The first transaction acquires the lease, the second extends it, the third releases it. */
class SlowToExtend extends Database {
  readonly extending = Promise.withResolvers<void>();
  readonly mayExtend = Promise.withResolvers<void>();
  transactions = 0;

  override async transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.transactions += 1;
    if (this.transactions === 2) {
      this.extending.resolve();
      await this.mayExtend.promise;
    }
    return super.transact(work);
  }
}
