// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';

const holdall = await startHoldall();
const secondInstance = await startHoldall({ beside: holdall });
const urls = [holdall.url, secondInstance.url];
const root = await holdall.admin();

async function newAdmin(): Promise<Person> {
  const person = await holdall.register('admin');
  await asAdmin(root).user(person, 'role', { role: 'ADMIN' });
  return person;
}

async function countActiveAdmins(): Promise<number> {
  const rows = await holdall.app.database.db
    .selectFrom('account')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('banned', '=', 0)
    .execute();
  return rows.length;
}

describe('of administrators who demote or ban each other at the same moment', () => {
  for (const [what, path, body] of [
    ['demotion', 'role', { role: 'USER' }],
    ['ban', 'status', { banned: true }],
  ] as const) {
    test(`two at once (${what}): exactly one remains an active administrator`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const [first, second] = [await newAdmin(), await newAdmin()];
        // These two are now the only administrators, so if both succeeded, none would remain.
        await asAdmin(first).user(root, 'role', { role: 'USER' });
        const pairs = [
          [first, second],
          [second, first],
        ] as const;
        const answers = await Promise.all(
          pairs.map(([actor, target], index) => {
            const [client] = atEveryInstance(actor, [urls[index] ?? holdall.url]);
            return (client ?? actor).call('PATCH', `/api/admin/users/${target.id}/${path}`, { body });
          }),
        );
        assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers));
        assert.ok(answers.every(({ status }) => [200, 400, 401, 403].includes(status)));
        assert.equal(await countActiveAdmins(), 1);
        const remaining = answers[0]?.status === 200 ? first : second;
        await asAdmin(remaining).user(root, 'role', { role: 'ADMIN' });
        await asAdmin(root).user(remaining, 'role', { role: 'USER' });
      }
    });
  }

  test('many at once: exactly one remains', async () => {
    const admins = [root];
    // Registers them one by one, because each registration uses up the invite code.
    for (let count = 0; count < 4; count += 1) admins.push(await newAdmin());
    await Promise.all(
      admins.flatMap((actor, index) =>
        admins.map((target) =>
          (atEveryInstance(actor, [urls[index % 2] ?? holdall.url])[0] ?? actor).call(
            'PATCH',
            `/api/admin/users/${target.id}/role`,
            { body: { role: 'USER' } },
          ),
        ),
      ),
    );
    assert.equal(await countActiveAdmins(), 1);
    const rows = await holdall.app.database.db
      .selectFrom('account')
      .select('id')
      .where('role', '=', 'ADMIN')
      .where('banned', '=', 0)
      .execute();
    const remaining = admins.find((person) => person.id === rows[0]?.id);
    assert.ok(remaining);
    if (remaining !== root) await asAdmin(remaining).user(root, 'role', { role: 'ADMIN' });
  });
});

test('a share deleted by concurrent requests is deleted once and leaves one audit entry', async () => {
  const ann = await holdall.register('ann');
  const file = await ann.upload('/shared', 'x');
  const { id } = await ann.ask<{ id: number }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
  const clients = atEveryInstance(root, urls);
  const answers = await race(clients, 8, (admin) => admin.call('DELETE', `/api/admin/shares/${id}`));
  assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
  const { total } = await asAdmin(root).audits({ actionType: 'DELETE_SHARE', targetId: String(id) });
  assert.equal(total, 1);
});

test('a file deleted by concurrent requests is recycled once and leaves one audit entry', async () => {
  const ann = await holdall.register('ann');
  const file = await ann.upload('/file', 'x');
  const clients = atEveryInstance(root, urls);
  const answers = await race(clients, 8, (admin) => admin.call('DELETE', `/api/admin/files/${file.id}`));
  assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
  assert.equal((await ann.bin()).total, 1);
  assert.equal(
    (await asAdmin(root).audits({ actionType: 'DELETE_FILE', targetId: String(file.id) })).total,
    1,
  );
});

test('concurrent requests create only one policy with the same name or location', async () => {
  const draft = {
    ...{
      type: 'S3_COMPATIBLE',
      bucketName: 'raced',
      endpoint: 'https://s3.example.org',
      credentialMode: 'STATIC',
    },
    ...{ maxSizeBytes: 1_000, capabilities: {}, enabled: true },
  };
  const clients = atEveryInstance(root, urls);
  const make = (admin: Person, body: unknown) => admin.call('POST', '/api/admin/storage-policies', { body });
  const named = await race(clients, 6, (admin, index) =>
    make(admin, { ...draft, name: 'raced', prefix: `p${index}` }),
  );
  assert.deepEqual(countStatuses(named), { 200: 1, 409: 5 });
  const placed = await race(clients, 6, (admin, index) =>
    make(admin, { ...draft, name: `place ${index}`, prefix: 'one' }),
  );
  assert.deepEqual(countStatuses(placed), { 200: 1, 409: 5 });
});
