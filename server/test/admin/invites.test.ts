// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminInvite } from '../../src/admin/invites/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { applicationOf, type Listing, type Person } from '../support/app/person.ts';

const INVITES = '/api/admin/invites';
const HOUR = 3_600_000;

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const beside = await startHoldall({ beside: holdall, env });
const admin = await holdall.admin();

const create = (body: object, person = admin) => person.ask<AdminInvite>('POST', INVITES, { body });
const list = (query = '') => admin.ask<Listing<AdminInvite>>('GET', `${INVITES}${query}`);
const find = async ({ id }: AdminInvite) =>
  (await list('?size=1000')).items.find((invite) => invite.id === id);
const inOneHour = () => new Date(holdall.clock.now() + HOUR).toISOString();

let count = 0;
const newName = () => {
  count += 1;
  return `${Date.now()}-guest-${count}`;
};
const register = (code: string, username = newName(), person: Person = holdall.anonymous) =>
  person.call('POST', '/api/auth/register', { body: applicationOf(username, code) });

describe('an invite', () => {
  test('has its own code, as strong as the one in the settings', async () => {
    const expiresAt = inOneHour();
    const invite = await create({ note: ' For the choir ', expiresAt, uses: 3 });
    const { id, code, createdAt, ...rest } = invite;
    assert.equal(code.length, (await holdall.inviteCode()).length);
    assert.match(code, /^[\w-]{16}$/);
    assert.ok(Math.abs(Date.parse(createdAt) - holdall.clock.now()) < 60_000);
    assert.deepEqual(rest, { note: 'For the choir', uses: 3, usedCount: 0, state: 'ACTIVE', expiresAt });
    assert.deepEqual(await find(invite), invite);
    const plain = await create({ uses: 1 });
    assert.deepEqual([plain.note, plain.expiresAt], [null, null]);
    assert.notEqual(plain.code, code);
    assert.equal((await create({ uses: 1, note: '  ' })).note, null);
  });

  test('admits one registration for each use, and does not change the code in the settings', async () => {
    const before = await holdall.inviteCode();
    const invite = await create({ uses: 2 });
    for (const usedCount of [1, 2]) {
      assert.equal((await register(invite.code)).status, 200);
      assert.equal((await find(invite))?.usedCount, usedCount);
    }
    const refused = await register(invite.code);
    assert.deepEqual([refused.status, refused.code], [400, 1003]);
    assert.equal((await find(invite))?.state, 'USED_UP');
    assert.equal(await holdall.inviteCode(), before);
    assert.equal((await register(before)).status, 200);
  });

  test('admits no one once it has expired or was deleted', async () => {
    const expiring = await create({ uses: 5, expiresAt: inOneHour() });
    const deleted = await create({ uses: 5 });
    assert.equal((await register(expiring.code)).status, 200);
    assert.equal(await admin.ask('DELETE', `${INVITES}/${deleted.id}`), null);
    assert.equal((await register(deleted.code)).status, 400);
    assert.equal(await find(deleted), undefined);
    await admin.refused(404, 1003, 'DELETE', `${INVITES}/${deleted.id}`);
    holdall.clock.advance(HOUR);
    await admin.logIn('the admin of these tests');
    assert.equal((await register(expiring.code)).status, 400);
    const { state, usedCount } = (await find(expiring)) ?? {};
    assert.deepEqual([state, usedCount], ['EXPIRED', 1]);
  });

  test('is not used up by a rejected registration', async () => {
    const invite = await create({ uses: 1 });
    const name = newName();
    assert.equal((await register(await holdall.inviteCode(), name)).status, 200);
    assert.equal((await register(invite.code, name)).status, 409);
    const body = { ...applicationOf(newName(), invite.code), password: 'short', confirmPassword: 'short' };
    await holdall.anonymous.refused(400, 1000, 'POST', '/api/auth/register', { body });
    assert.equal((await find(invite))?.usedCount, 0);
    assert.equal((await register(invite.code)).status, 200);
  });

  test('of 30 simultaneous registrations with 5 uses, 5 succeed', async () => {
    const invite = await create({ uses: 5 });
    const clients = [holdall.anonymous, beside.anonymous];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => register(invite.code, newName(), clients[index % 2])),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(25).fill(400)]);
    assert.equal((await find(invite))?.usedCount, 5);
  });
});

describe('the list of invites', () => {
  test('is paged, newest first, and for administrators and moderators only', async () => {
    const [first, second] = [await create({ uses: 1 }), await create({ uses: 2 })];
    const page = await list('?size=2');
    assert.deepEqual(page.items, [second, first]);
    assert.deepEqual((await list('?size=1&page=1')).items, [first]);
    const ann = await holdall.register('ann');
    await ann.refused(403, 1002, 'GET', INVITES);
    await ann.refused(403, 1002, 'POST', INVITES, { body: { uses: 1 } });
    await ann.refused(403, 1002, 'DELETE', `${INVITES}/${first.id}`);
    await asAdmin(admin).user(ann, 'role', { role: 'MODERATOR' });
    await ann.ask('DELETE', `${INVITES}/${(await create({ uses: 1 }, ann)).id}`);
  });

  test('has at most 1,000 invites', async () => {
    const { database } = holdall.app;
    const { total } = await list();
    await database.transact(async (tx) => {
      const rows = Array.from({ length: 999 - total }, (_, index) => ({
        ...{ code: `filler ${index}`, note: null, max_uses: 1, expires_at: null },
        created_at: holdall.clock.now(),
      }));
      await tx.insertInto('invite').values(rows).execute();
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => admin.call('POST', INVITES, { body: { uses: 1 } })),
    );
    const statuses = answers.map(({ status, code }) => `${status} ${code}`).sort();
    assert.deepEqual(statuses, ['200 0', ...Array(5).fill('400 1003')]);
    assert.equal((await list()).total, 1_000);
    await database.transact((tx) => tx.deleteFrom('invite').where('code', 'like', 'filler %').execute());
  });
});

test('an invite with an invalid value is rejected', async () => {
  const { total } = await list();
  const past = new Date(holdall.clock.now() - HOUR).toISOString();
  for (const body of [
    ...[undefined, {}, { uses: 0 }, { uses: 1_001 }, { uses: 1.5 }, { uses: '1' }, { uses: null }],
    ...[
      { uses: 1, expiresAt: past },
      { uses: 1, expiresAt: 'soon' },
      { uses: 1, note: 'x'.repeat(201) },
    ],
    ...[
      { uses: 1, note: 5 },
      { uses: 1, note: 'a\u0007b' },
    ],
  ]) {
    await admin.refused(400, 1000, 'POST', INVITES, { body });
  }
  assert.equal((await list()).total, total);
  await admin.refused(400, 1000, 'DELETE', `${INVITES}/x`);
});
