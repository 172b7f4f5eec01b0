// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemIds } from '../../src/base/ids.ts';
import { Settings } from '../../src/settings/settings.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { isPostgres } from '../support/database/test-database.ts';

describe('settings', async () => {
  const first = await startHoldall();
  const second = await startHoldall({ beside: first });
  const { database, settings } = first.app;
  const other = { database: second.app.database, settings: new Settings(second.clock, systemIds) };
  // Two SQLite connections in one thread would wait for each other until they give up.
  const racers = isPostgres ? [first.app, other] : [first.app];

  test('a secret is generated once, also by concurrent callers, and has 256 bits', async () => {
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
    assert.equal(await database.transact((tx) => settings.spendInviteCode(tx, code)), true);
    const next = await first.inviteCode();
    assert.match(next, /^[\w-]{16}$/);
    assert.notEqual(next, code);
    assert.equal(await database.transact((tx) => settings.spendInviteCode(tx, code)), false);
    assert.equal(await first.inviteCode(), next);
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
