// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { Failure } from '../../src/base/failure.ts';
import { Database } from '../../src/database/database.ts';
import { addOne, find, put } from '../support/database/numbers.ts';
import { openEngine, openTestDatabase } from '../support/database/open-database.ts';

const ROOT_HANDLE = /root handle ran inside an open transaction/;

const under = await openTestDatabase();
const { database } = under;

describe('a transaction', () => {
  it('commits what it wrote', async () => {
    await database.transact((tx) => put(tx, 'kept', 1));
    assert.equal(await find(database.db, 'kept'), 1);
  });

  it('is rolled back when its work throws', async () => {
    const refusal = new Failure('conflict', 'no');
    const failing = database.transact(async (tx) => {
      await put(tx, 'rolled-back', 1);
      await put(tx, 'rolled-back-too', 1);
      throw refusal;
    });
    await assert.rejects(failing, (error) => error === refusal);
    assert.equal(await find(database.db, 'rolled-back'), undefined);
    assert.equal(await find(database.db, 'rolled-back-too'), undefined);
  });

  it('ends with what runs before its commit, and is rolled back when that throws', async () => {
    const order: string[] = [];
    await database.transact(async (tx) => {
      database.beforeCommit(tx, async () => {
        order.push('first');
        await put(tx, 'before-commit', 1);
        database.beforeCommit(tx, async () => void order.push('second'));
      });
      database.afterCommit(tx, () => void order.push('committed'));
      order.push('work');
    });
    assert.deepEqual(order, ['work', 'first', 'second', 'committed']);
    assert.equal(await find(database.db, 'before-commit'), 1);
    const failing = database.transact(async (tx) => {
      await put(tx, 'ends-badly', 1);
      database.beforeCommit(tx, () => Promise.reject(new Error('no')));
    });
    await assert.rejects(failing, /no/);
    assert.equal(await find(database.db, 'ends-badly'), undefined);
  });

  it('is rolled back when a statement is rejected', async () => {
    const failing = database.transact(async (tx) => {
      await put(tx, 'before-the-refused', 1);
      await tx
        .insertInto('lease')
        .values({ name: 'before-the-refused', holder: 'b', expires_at: 2 })
        .execute();
    });
    await assert.rejects(failing, /unique/i);
    assert.equal(await find(database.db, 'before-the-refused'), undefined);
  });

  it('is not visible to others before it commits', async () => {
    const written = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const beside = under.openSecondHandle();
    const running = database.transact(async (tx) => {
      await put(tx, 'unseen', 1);
      written.resolve();
      await end.promise;
    });
    await written.promise;
    assert.equal(await find(beside.db, 'unseen'), undefined);
    end.resolve();
    await running;
    assert.equal(await find(beside.db, 'unseen'), 1);
  });

  it('may run at the same time as many others', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `crowd-${index % 7}`);
    await Promise.all(names.map((name) => database.transact((tx) => addOne(tx, name))));
    const counts = await Promise.all([...new Set(names)].map((name) => find(database.db, name)));
    assert.equal(
      counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      300,
    );
  });

  it('does not block the next one when it fails', async () => {
    const runs = Array.from({ length: 60 }, (_, index) =>
      database.transact(async (tx) => {
        await addOne(tx, 'half-fail');
        if (index % 2 === 0) throw new Error('on purpose');
      }),
    );
    const ends = await Promise.allSettled(runs);
    assert.equal(ends.filter((end) => end.status === 'rejected').length, 30);
    assert.equal(await find(database.db, 'half-fail'), 30);
  });
});

describe('the report of a transaction', () => {
  it('says that the database failed, but not when the work rejects the request', async () => {
    const engine = openEngine(under.url, under.directory);
    const reports: boolean[] = [];
    const watched = new Database(engine, undefined, (isOk) => reports.push(isOk));
    const fail = (error: Error) => assert.rejects(watched.transact(() => Promise.reject(error)));
    await watched.transact((tx) => put(tx, 'reported', 1));
    await fail(new Failure('conflict', 'The name is taken.'));
    await fail(new Failure('unavailable', 'The database is away.'));
    await assert.rejects(watched.transact((tx) => put(tx, 'reported', 1)));
    assert.deepEqual(reports, [true, true, false, false]);
    await watched.close();
  });
});

describe('a query on the root handle inside an open transaction', () => {
  it('throws immediately', async () => {
    await assert.rejects(
      database.transact(() => find(database.db, 'any')),
      ROOT_HANDLE,
    );
  });

  it('also throws in nested asynchronous calls', async () => {
    const deep = async () => {
      await settle();
      await Promise.all([settle(), (async () => find(database.db, 'any'))()]);
    };
    await assert.rejects(
      database.transact(async (tx) => {
        await put(tx, 'deep', 1);
        await deep();
      }),
      ROOT_HANDLE,
    );
    assert.equal(await find(database.db, 'deep'), undefined);
  });

  it('throws for a nested transaction', async () => {
    await assert.rejects(
      database.transact(() => database.transact(async () => {})),
      ROOT_HANDLE,
    );
  });

  it('is allowed again after the transaction has ended', async () => {
    let later: Promise<unknown> | undefined;
    const end = Promise.withResolvers<void>();
    await database.transact(async () => {
      later = end.promise.then(() => find(database.db, 'any'));
    });
    end.resolve();
    await later;
    await database.transact((tx) => put(tx, 'after-the-guard', 1));
  });

  it('throws, but leaves the database usable', async () => {
    await assert.rejects(database.transact(() => find(database.db, 'any')));
    await database.transact((tx) => put(tx, 'in-order', 1));
    assert.equal(await find(database.db, 'in-order'), 1);
  });
});

describe('a callback registered with afterCommit', () => {
  it('runs once, as soon as others can see the changes', async () => {
    let seen: Promise<number | undefined> | undefined;
    let calls = 0;
    await database.transact(async (tx) => {
      database.afterCommit(tx, () => {
        calls += 1;
      });
      await put(tx, 'after-commit', 1);
      database.afterCommit(tx, () => {
        calls += 1;
        seen = find(database.db, 'after-commit');
      });
      assert.equal(calls, 0);
    });
    assert.equal(calls, 2);
    assert.equal(await seen, 1);
  });

  it('does not run when the work fails', async () => {
    let calls = 0;
    const failing = database.transact(async (tx) => {
      database.afterCommit(tx, () => {
        calls += 1;
      });
      await put(tx, 'never', 1);
      throw new Error('on purpose');
    });
    await assert.rejects(failing);
    await settle();
    assert.equal(calls, 0);
  });

  it('runs after the commit is flushed, and before transact() resolves', async () => {
    const flush = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<number | undefined>();
    const engine = openEngine(under.url, under.directory);
    const slow = new Database({
      ...engine,
      flush: async () => {
        begun.resolve(await find(database.db, 'held-flush'));
        await flush.promise;
      },
    });
    const ends: string[] = [];
    const running = slow
      .transact(async (tx) => {
        slow.afterCommit(tx, () => ends.push('after commit'));
        await put(tx, 'held-flush', 1);
      })
      .then(() => ends.push('answered'));
    assert.equal(await begun.promise, 1, 'the flush must begin after the commit');
    for (let turn = 0; turn < 10; turn += 1) await settle();
    assert.deepEqual(ends, []);
    flush.resolve();
    await running;
    assert.deepEqual(ends, ['after commit', 'answered']);
    await slow.close();
  });

  it('does not run when the flush fails', async () => {
    const engine = openEngine(under.url, under.directory);
    const broken = new Database({ ...engine, flush: () => Promise.reject(new Error('lost')) });
    let calls = 0;
    const failing = broken.transact(async (tx) => {
      broken.afterCommit(tx, () => {
        calls += 1;
      });
      await put(tx, 'flush-failed', 1);
    });
    await assert.rejects(failing, /lost/);
    assert.equal(calls, 0);
    await broken.close();
  });
});
