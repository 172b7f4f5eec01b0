// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { atEveryDoor, countStatuses, race } from '../support/checks/race.ts';

const holdall = await startHoldall();
const beside = await startHoldall({ beside: holdall });
const urls = [holdall.url, beside.url];
const root = await holdall.admin();

async function newAdmin(): Promise<Person> {
  const person = await holdall.register('admin');
  await asAdmin(root).user(person, 'role', { role: 'ADMIN' });
  return person;
}

async function activeAdmins(): Promise<number> {
  const rows = await holdall.app.database.db
    .selectFrom('account')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('banned', '=', 0)
    .execute();
  return rows.length;
}

describe('admins who take one another down at the same moment', () => {
  for (const [what, path, body] of [
    ['by demotion', 'role', { role: 'USER' }],
    ['by ban', 'status', { banned: true }],
  ] as const) {
    test(`${what}: one of them is left, always`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const [first, second] = [await newAdmin(), await newAdmin()];
        // Only these two are left, so that each is the other's last.
        await asAdmin(first).user(root, 'role', { role: 'USER' });
        const pairs = [
          [first, second],
          [second, first],
        ] as const;
        const answers = await Promise.all(
          pairs.map(([actor, target], index) => {
            const [door] = atEveryDoor(actor, [urls[index] ?? holdall.url]);
            return (door ?? actor).call('PATCH', `/api/admin/users/${target.id}/${path}`, { body });
          }),
        );
        assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers));
        assert.ok(answers.every(({ status }) => [200, 400, 401, 403].includes(status)));
        assert.equal(await activeAdmins(), 1);
        const left = answers[0]?.status === 200 ? first : second;
        await asAdmin(left).user(root, 'role', { role: 'ADMIN' });
        await asAdmin(root).user(left, 'role', { role: 'USER' });
      }
    });
  }

  test('of many at once, however they try', async () => {
    const everybody = [root];
    // One after the other: each spends the invite code.
    for (let count = 0; count < 4; count += 1) everybody.push(await newAdmin());
    await Promise.all(
      everybody.flatMap((actor, index) =>
        everybody.map((target) =>
          (atEveryDoor(actor, [urls[index % 2] ?? holdall.url])[0] ?? actor).call(
            'PATCH',
            `/api/admin/users/${target.id}/role`,
            { body: { role: 'USER' } },
          ),
        ),
      ),
    );
    assert.equal(await activeAdmins(), 1);
    const rows = await holdall.app.database.db
      .selectFrom('account')
      .select('id')
      .where('role', '=', 'ADMIN')
      .where('banned', '=', 0)
      .execute();
    const left = everybody.find((person) => person.id === rows[0]?.id);
    assert.ok(left);
    if (left !== root) await asAdmin(left).user(root, 'role', { role: 'ADMIN' });
  });
});

test('a share that many delete at once is deleted by one, and written down once', async () => {
  const ann = await holdall.register('ann');
  const file = await ann.upload('/shared', 'x');
  const { id } = await ann.ask<{ id: number }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
  const doors = atEveryDoor(root, urls);
  const answers = await race(doors, 8, (admin) => admin.call('DELETE', `/api/admin/shares/${id}`));
  assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
  const { total } = await asAdmin(root).audits({ actionType: 'DELETE_SHARE', targetId: String(id) });
  assert.equal(total, 1);
});

test('a file that many delete at once comes to the bin once, and is written down once', async () => {
  const ann = await holdall.register('ann');
  const file = await ann.upload('/file', 'x');
  const doors = atEveryDoor(root, urls);
  const answers = await race(doors, 8, (admin) => admin.call('DELETE', `/api/admin/files/${file.id}`));
  assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
  assert.equal((await ann.bin()).total, 1);
  assert.equal(
    (await asAdmin(root).audits({ actionType: 'DELETE_FILE', targetId: String(file.id) })).total,
    1,
  );
});

test('of policies for one name or one place, made at once, there is one', async () => {
  const draft = {
    ...{
      type: 'S3_COMPATIBLE',
      bucketName: 'raced',
      endpoint: 'https://s3.example.org',
      credentialMode: 'STATIC',
    },
    ...{ maxSizeBytes: 1_000, capabilities: {}, enabled: true },
  };
  const doors = atEveryDoor(root, urls);
  const make = (admin: Person, body: unknown) => admin.call('POST', '/api/admin/storage-policies', { body });
  const named = await race(doors, 6, (admin, index) =>
    make(admin, { ...draft, name: 'raced', prefix: `p${index}` }),
  );
  assert.deepEqual(countStatuses(named), { 200: 1, 409: 5 });
  const placed = await race(doors, 6, (admin, index) =>
    make(admin, { ...draft, name: `place ${index}`, prefix: 'one' }),
  );
  assert.deepEqual(countStatuses(placed), { 200: 1, 409: 5 });
});
