// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemIds } from '../../src/base/ids.ts';
import { Leases } from '../../src/leases/leases.ts';
import { Settings } from '../../src/settings/settings.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { isPostgres } from '../support/database/test-database.ts';

const SECOND = 1_000;

describe('settings', async () => {
  const first = await startHoldall();
  const second = await startHoldall({ beside: first });
  const { database, settings } = first.app;
  const other = { database: second.app.database, settings: new Settings(second.clock, systemIds) };
  // Two connections to SQLite within one thread would wait for each other until they give up.
  const racers = isPostgres ? [first.app, other] : [first.app];

  test('a secret is made once, whoever asks first, and is long', async () => {
    const secrets = await Promise.all(
      Array.from({ length: 10 }, (_, place) => {
        const { database, settings } = racers[place % racers.length] ?? other;
        return database.transact((tx) => settings.getOrCreateSecret(tx, 'download-secret'));
      }),
    );
    assert.equal(new Set(secrets).size, 1);
    assert.match(secrets[0] ?? '', /^[\w-]{43}$/);
    const jwtSecret = await database.transact((tx) => settings.getOrCreateSecret(tx, 'jwt-secret'));
    assert.notEqual(jwtSecret, secrets[0]);
  });

  test('a claim succeeds once', async () => {
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, place) => {
        const { database, settings } = racers[place % racers.length] ?? other;
        return database.transact((tx) => settings.claimOnce(tx, 'test'));
      }),
    );
    assert.equal(claims.filter(Boolean).length, 1);
    assert.equal(await database.transact((tx) => settings.claimOnce(tx, 'another')), true);
  });

  test('a claim is available again when its transaction fails', async () => {
    await assert.rejects(
      database.transact(async (tx) => {
        assert.equal(await settings.claimOnce(tx, 'failing'), true);
        throw new Error('later');
      }),
      /later/,
    );
    assert.equal(await database.transact((tx) => settings.claimOnce(tx, 'failing')), true);
  });

  test('an invite code is created once, replaced by a random one when spent, and can be set', async () => {
    const code = await first.inviteCode();
    assert.match(code, /^[\w-]{16}$/);
    assert.equal(await database.transact((tx) => settings.getOrCreateInviteCode(tx, 'another')), code);
    await database.transact((tx) => settings.spendInviteCode(tx, code));
    const next = await first.inviteCode();
    assert.match(next, /^[\w-]{16}$/);
    assert.notEqual(next, code);
    await assert.rejects(
      database.transact((tx) => settings.spendInviteCode(tx, code)),
      { kind: 'rejected' },
    );
    await database.transact((tx) => settings.putInviteCode(tx, 'open sesame'));
    assert.equal(await second.inviteCode(), 'open sesame');
    await database.transact((tx) => settings.spendInviteCode(tx, 'open sesame'));
  });

  test('a marker has the value that was stored last', async () => {
    assert.equal(await settings.findMarker(database.db, 'pass'), undefined);
    await database.transact((tx) => settings.putMarker(tx, 'pass', '1'));
    await database.transact((tx) => settings.putMarker(tx, 'pass', '2'));
    assert.equal(await settings.findMarker(database.db, 'pass'), '2');
  });
});

describe('leases', async () => {
  const first = await startHoldall();
  const second = await startHoldall({ beside: first });
  const { clock } = first;
  const here = new Leases(first.app.database, clock, 'here');
  const there = new Leases(second.app.database, clock, 'there');

  test('one of two instances does the work, and the other one can do it afterwards', async () => {
    const done: string[] = [];
    const work = Promise.withResolvers<void>();
    const first = here.runExclusively('work', 30 * SECOND, async () => {
      done.push('here');
      await work.promise;
    });
    await until(() => done.length === 1);
    const note = async () => void done.push('there');
    assert.equal(await there.runExclusively('work', 30 * SECOND, note), false);
    assert.equal(await there.runExclusively('other work', 30 * SECOND, note), true, 'leases of different names are independent');
    work.resolve();
    assert.equal(await first, true);
    assert.equal(await there.runExclusively('work', 30 * SECOND, note), true);
    assert.deepEqual(done, ['here', 'there', 'there']);
  });

  test('a lease of a crashed holder can be acquired once it has expired', async () => {
    const end = Promise.withResolvers<void>();
    let begun = false;
    const crashed = here.runExclusively('crashed', 30 * SECOND, async () => {
      begun = true;
      await end.promise;
    });
    await until(() => begun);
    const nothing = async () => {};
    clock.advance(29 * SECOND);
    assert.equal(await there.runExclusively('crashed', 30 * SECOND, nothing), false);
    clock.advance(2 * SECOND);
    assert.equal(await there.runExclusively('crashed', 30 * SECOND, nothing), true);
    end.resolve();
    await crashed;
  });

  test('a holder keeps its lease while it works', async () => {
    const work = Promise.withResolvers<void>();
    let begun = false;
    const busy = here.runExclusively('long', 300, async () => {
      begun = true;
      await work.promise;
    });
    await until(() => begun);
    const end = Date.now() + 900;
    while (Date.now() < end) {
      assert.equal(await there.runExclusively('long', 300, async () => {}), false);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    work.resolve();
    assert.equal(await busy, true);
  });

  test('the lease is released when the work fails', async () => {
    const failing = here.runExclusively('failing', 30 * SECOND, async () => {
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    assert.equal(await there.runExclusively('failing', 30 * SECOND, async () => {}), true);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
