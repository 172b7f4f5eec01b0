// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { Failure } from '../../../src/base/failure.ts';
import type { Database, Tx } from '../../../src/database/database.ts';
import type { Holdall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { countObjects, listLocations, type MigrationParts } from '../../support/migration/migration.ts';
import { endGrace, openPolicies } from '../../support/migration/migration-policies.ts';

// Attempts that have lost their task, and commits that take effect although their attempt believes that they
// failed.

const PAGE = { objects: 2, bytes: 1_000_000 };
const SIZES = [0, 1, 10_000];

type Transact = <T>(work: (tx: Tx) => Promise<T>, next: () => Promise<T>) => Promise<T>;

/** A database whose transactions go through `transact`. */
function withTransactions({ app }: Holdall, transact: Transact): MigrationParts['database'] {
  const { database } = app;
  return {
    db: database.db,
    transact: (work) => transact(work, () => database.transact(work)),
    transactBySize: (isLong, work) => transact(work, () => database.transactBySize(isLong, work)),
    readLong: (work) => database.readLong(work),
  };
}

/** Blocks each caller until `open` is called, and reports when the first caller has arrived. */
function makeGate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = async () => {
    reached.resolve();
    await opened.promise;
  };
  return { reached: reached.promise, open: () => opened.resolve(), pass };
}

describe('an attempt that has lost its task', () => {
  it('removes no copies of the attempt that has taken it over', async () => {
    const { holdall, target, begin, open, checkFiles } = await openPolicies(SIZES);
    const { task, attempt: former } = begin();
    const [begun, copied] = [makeGate(), makeGate()];
    // Pauses the first attempt once it has begun the migration.
    const pausing: Transact = async (_work, next) => {
      const result = await next();
      await begun.pass();
      return result;
    };
    const formerRun = open({ page: PAGE, database: withTransactions(holdall, pausing) }).job.run(former);
    await begun.reached;
    // Pauses its successor when copies are verified, but not yet recorded as such.
    const successor = open({
      page: PAGE,
      database: withTransactions(holdall, async (_work, next) => {
        if ((await countObjects(holdall, target)) > 0) await copied.pass();
        return await next();
      }),
    });
    const successorRun = successor.job.run(task.begin(holdall));
    await copied.reached;
    begun.open();
    await assert.rejects(formerRun, /has lost its task/);
    copied.open();
    await successorRun;
    assert.equal(task.status, 'COMPLETED');
    await checkFiles();
    await endGrace(holdall, successor);
    for (const { policyId } of await listLocations(holdall)) assert.equal(policyId, target);
    await checkFiles();
    await checkBooks(holdall);
  });
});

describe('a commit whose answer is lost', inFull, () => {
  /** Long enough for the attempt to begin giving up before the commit. */
  const LATE_MS = 50;

  /** Makes one transaction fail for its caller just before the commit, and commits it afterwards. */
  function loseAnswerOf(database: Database, number: number) {
    let count = 0;
    let late: Promise<unknown> | undefined;
    const transact: Transact = (work, next) => {
      count += 1;
      if (count !== number) return next();
      const answer = Promise.withResolvers<never>();
      late = database.transact(async (tx) => {
        const result = await work(tx);
        answer.reject(new Failure('unavailable', 'the answer to the commit is lost'));
        await new Promise((resolve) => setTimeout(resolve, LATE_MS));
        return result;
      });
      late.catch((error) => answer.reject(error));
      return answer.promise;
    };
    return { transact, isLost: () => late !== undefined, settle: async () => void (await late) };
  }

  it('may take effect while the attempt gives up, and neither copy is lost', async (t) => {
    const { holdall, source, target, begin, open, checkFiles } = await openPolicies(SIZES);
    let [from, to] = [source, target];
    let count = 0;
    for (let lost = 1; ; lost += 1) {
      const late = loseAnswerOf(holdall.app.database, lost);
      const { task, attempt } = begin({ sourcePolicyId: from, targetPolicyId: to });
      const migrations = open({ page: PAGE, database: withTransactions(holdall, late.transact) });
      const outcome = await migrations.job.run(attempt).catch((error: unknown) => error);
      await late.settle();
      if (!late.isLost()) {
        assert.equal(outcome, undefined);
        break;
      }
      count += 1;
      assert.match(String(outcome), /the answer to the commit is lost/);
      // The engine starts a failed attempt again, unless the commit has completed the task.
      if (task.status === 'LIVE') await open({ page: PAGE }).job.run(task.begin(holdall));
      assert.equal(task.status, 'COMPLETED');
      await checkFiles();
      await endGrace(holdall, migrations);
      for (const { policyId } of await listLocations(holdall)) assert.equal(policyId, to, `commit ${lost}`);
      await checkFiles();
      await checkBooks(holdall);
      [from, to] = [to, from];
    }
    t.diagnostic(`${count} commits`);
    assert.ok(count > 4);
  });
});
