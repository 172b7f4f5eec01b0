// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { LINKS } from '../../src/doctor/links/queries.ts';
import { Leases } from '../../src/leases/leases.ts';
import { asAdmin } from '../support/app/admin.ts';
import { registerFullAccount } from '../support/app/full-account.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { lookUp } from '../support/transfer/transfer.ts';

/** For tests without races: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

let onQuery = () => {};
const holdall = await startHoldall({
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' },
  onQuery: () => onQuery(),
});
const secondInstance = await startHoldall({
  beside: holdall,
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' },
});
const { app } = holdall;
const { db } = app.database;
const admin = await holdall.admin();
const view = asAdmin(admin);

const pathOf = ({ id }: { id: number }) => `/api/admin/users/${id}`;
const remove = (person: Person, username = person.username, actor = admin) =>
  actor.call('DELETE', pathOf(person), { body: { username } });

/** Waits for the jobs that requests have triggered. */
async function settle(): Promise<void> {
  await app.accountRemovalJob.settle();
  await secondInstance.app.accountRemovalJob.settle();
}

/** Holds leases like a third instance. */
const leases = new Leases(app.database, holdall.clock, 'the test');

/** Keeps triggered jobs from running, so that a test sees an account that is being deleted. */
async function withPausedDeletion(work: () => Promise<void>): Promise<void> {
  await settle();
  assert.ok(await leases.runExclusively('delete accounts', 60_000, work));
}

/** The tables with rows that refer to the account or to its personal drive. */
async function tablesReferringTo({ id, driveId }: { id: number; driveId?: number }) {
  const found = new Set<string>();
  for (const { table, column, target } of LINKS) {
    const referred = target === 'account' ? id : target === 'drive' ? driveId : undefined;
    if (referred === undefined) continue;
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${referred}`.execute(db);
    if (rows.length > 0) found.add(table);
  }
  return [...found].toSorted();
}

async function accountExists({ id }: { id: number }): Promise<boolean> {
  return (await db.selectFrom('account').select('id').where('id', '=', id).execute()).length > 0;
}

describe('an administrator deletes an account', onSqlite, () => {
  test('logins, app passwords, links and transfers end at once, and the rest is deleted in the background', async () => {
    const { ann, share, link, folderLink, zip, transfer, program } = await registerFullAccount(holdall);
    const tables = await tablesReferringTo(ann);
    for (const table of [
      'active_day',
      'app_password',
      'dav_lock',
      'entry',
      'event',
      'identity',
      'last_activity',
      'passkey',
      'recovery_code',
      'session',
      'totp',
    ]) {
      assert.ok(tables.includes(table), table);
    }
    for (const table of [
      'folder_link',
      'share',
      'task',
      'transfer_session',
      'upload_session',
      'upload_ticket',
      'zip_ticket',
    ]) {
      assert.ok(tables.includes(table), table);
    }
    await checkBooks(holdall);
    await withPausedDeletion(async () => {
      assert.equal((await remove(ann)).data, null);
      for (const url of [holdall.url, secondInstance.url]) {
        const [there] = atEveryInstance(ann, [url]);
        const refused = await there?.refused(401, 1001, 'GET', '/api/user/profile');
        assert.equal(refused?.headers.get('x-service-session-end'), 'deleted');
        const nobody = new Person('anonymous', url);
        const refreshToken = ann.login?.refreshToken;
        await nobody.refused(401, 1001, 'POST', '/api/auth/refresh', { body: { refreshToken } });
        await nobody.refused(401, 1001, 'POST', '/api/auth/login', {
          body: { username: ann.username, password: PASSWORD },
        });
        await nobody.refused(404, 2404, 'GET', `/api/v2/shares/${share.token}`);
        await nobody.refused(404, 2404, 'GET', `/api/v2/folder-links/${folderLink}`);
        await nobody.refused(404, 1003, 'GET', `/api/files/share-links/${link.token}`);
        assert.equal((await lookUp(nobody, transfer.pickupCode)).status, 404);
        assert.equal((await nobody.fetch('GET', new URL(zip).pathname + new URL(zip).search)).status, 404);
      }
      assert.equal((await program.fetch('GET', '/api/files/list?path=/')).status, 401);
      const [listed] = (await view.users({ query: ann.username })).items;
      assert.deepEqual(
        [listed?.username, listed?.deleting, listed?.banned, listed?.email, listed?.phoneNumber],
        [ann.username, true, true, null, null],
      );
      await checkBooks(holdall);
    });
    await app.accountRemoval.run(new AbortController().signal);
    assert.deepEqual(await tablesReferringTo(ann), []);
    assert.equal(await accountExists(ann), false);
    assert.deepEqual((await view.users({ query: ann.username })).items, []);
    await admin.refused(404, 1003, 'DELETE', pathOf(ann), { body: { username: ann.username } });
    await checkBooks(holdall);
  });

  test('the job that deletes the data starts automatically', async () => {
    const bob = await holdall.register('bob');
    await bob.upload('/file', 'x');
    await remove(bob);
    await settle();
    assert.equal(await accountExists(bob), false);
  });

  test('others can use the username, e-mail address and phone number immediately', async () => {
    const ann = await holdall.register('ann');
    await withPausedDeletion(async () => {
      await remove(ann);
      const again = new Person(ann.username, holdall.url);
      await again.register(await holdall.inviteCode());
      assert.notEqual(again.id, ann.id);
      assert.equal((await view.users({ query: ann.username })).total, 2);
      assert.deepEqual(
        (await view.users({ query: `${ann.username}@` })).items.map(({ id }) => id),
        [again.id],
      );
      await remove(again);
      await new Person(ann.username.toUpperCase(), holdall.url).register(await holdall.inviteCode());
    });
    await holdall.app.cleanUp();
    assert.equal((await view.users({ query: ann.username })).total, 1);
    await checkBooks(holdall);
  });

  test('others keep what they have imported, with its bytes', async () => {
    const { ann, share, file } = await registerFullAccount(holdall);
    const bob = await holdall.register('bob');
    const own = await bob.upload('/own.txt', 'the content');
    const imported = await bob.ask<{ id: number }>('POST', `/api/v2/shares/${share.token}/import`, {
      body: { path: '/Documents' },
    });
    await ann.ask('DELETE', `/api/v2/shares/${share.id}`);
    const before = await bob.list('/Documents');
    await remove(ann);
    await settle();
    holdall.clock.advance(30 * 24 * 60 * 60_000);
    await bob.logIn();
    await app.cleanUp();
    assert.deepEqual(await bob.list('/Documents'), before);
    for (const { id } of [imported, own])
      assert.equal((await bob.download({ id })).toString(), 'the content');
    assert.equal((await admin.logIn('the admin of these tests')).username, 'admin');
    assert.equal(
      await db.selectFrom('entry').select('id').where('id', '=', file.id).executeTakeFirst(),
      undefined,
    );
    await checkBooks(holdall);
  });

  test('audit entries keep the name of the account, and the deletion adds one', async () => {
    const mod = await holdall.register('mod');
    await view.user(mod, 'role', { role: 'MODERATOR' });
    const bob = await holdall.register('bob');
    await asAdmin(mod).user(bob, 'storage-quota', { storageQuotaBytes: 1_000 });
    await remove(mod);
    await settle();
    const [changed] = (await view.audits({ targetId: String(bob.id) })).items;
    assert.deepEqual([changed?.actor, changed?.actorId], [mod.username, null]);
    const { items } = await view.audits({ actionType: 'DELETE_USER', targetId: String(mod.id) });
    assert.deepEqual(
      items.map(({ target, actor }) => [target, actor]),
      [[mod.username, 'admin']],
    );
  });

  test('an account at its limit of entries can be deleted', async () => {
    const ann = await holdall.register('ann');
    await ann.upload('/file', 'x');
    await view.user(ann, 'max-entries', { maxEntries: 1 });
    await remove(ann);
    await settle();
    assert.equal(await accountExists(ann), false);
  });

  test('a request that is counted after the deletion does not break the statistics', async () => {
    const ann = await holdall.register('ann');
    await remove(ann);
    await settle();
    app.activity.recordActiveAccount(ann.id);
    app.activity.recordActiveAccount(admin.id);
    await app.activity.flush();
    assert.deepEqual(await tablesReferringTo(ann), []);
    assert.ok((await tablesReferringTo({ id: admin.id })).includes('last_activity'));
  });
});

describe('the deletion of an account is rejected', onSqlite, () => {
  test('without the username of the account', async () => {
    const ann = await holdall.register('ann');
    for (const username of ['', 'admin', `${ann.username} `, `${ann.username}:${ann.id}`]) {
      assert.equal((await remove(ann, username)).status, 400, username);
    }
    for (const body of [undefined, {}, { username: null }, { username: 7 }]) {
      await admin.refused(400, 1000, 'DELETE', pathOf(ann), { body });
    }
    assert.ok(await ann.list());
    assert.equal((await remove(ann, ann.username.toUpperCase())).status, 200, 'without regard to case');
  });

  test('for one’s own account, and for an admin by a moderator', async () => {
    const mod = await holdall.register('mod');
    await view.user(mod, 'role', { role: 'MODERATOR' });
    assert.equal((await remove(admin)).status, 400);
    assert.equal((await remove(mod, mod.username, mod)).status, 400);
    assert.equal((await remove(admin, 'admin', mod)).status, 403);
    const ann = await holdall.register('ann');
    assert.equal((await remove(mod, mod.username, ann)).status, 403);
    assert.equal((await remove(ann, ann.username, mod)).status, 200);
  });

  test('like any change of an account that is being deleted', async () => {
    const ann = await holdall.register('ann');
    await withPausedDeletion(async () => {
      await remove(ann);
      for (const [method, path, body] of [
        ['PATCH', 'role', { role: 'USER' }],
        ['PATCH', 'status', { banned: false }],
        ['PUT', 'password', { newPassword: 'another horse, another staple' }],
        ['POST', 'password/reset', undefined],
        ['PATCH', 'storage-quota', { storageQuotaBytes: 1 }],
        ['PATCH', 'max-upload-size', { maxUploadSizeBytes: 1 }],
        ['PATCH', 'max-entries', { maxEntries: 1 }],
      ] as const) {
        await admin.refused(400, 1003, method, `${pathOf(ann)}/${path}`, { body });
      }
    });
    await app.cleanUp();
    assert.equal(await accountExists(ann), false);
  });
});

describe('races with the deletion of an account', () => {
  test('a repeated request changes nothing, and leaves one audit entry', async () => {
    const ann = await holdall.register('ann');
    await withPausedDeletion(async () => {
      const clients = atEveryInstance(admin, [holdall.url, secondInstance.url]);
      const answers = await race(clients, 8, (client) => remove(ann, ann.username, client));
      assert.deepEqual(countStatuses(answers), { 200: 8 });
    });
    const { total } = await view.audits({ actionType: 'DELETE_USER', targetId: String(ann.id) });
    assert.equal(total, 1);
    await app.cleanUp();
    assert.equal(await accountExists(ann), false);
  });

  test('of two admins who delete each other, one remains', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await holdall.register('admin');
      const second = await holdall.register('admin');
      for (const person of [first, second]) await view.user(person, 'role', { role: 'ADMIN' });
      // These two are now the only admins.
      await asAdmin(first).user(admin, 'role', { role: 'USER' });
      const [there = second] = atEveryInstance(second, [secondInstance.url]);
      const answers = await Promise.all([
        remove(second, second.username, first),
        remove(first, first.username, there),
      ]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers));
      assert.ok(answers.every(({ status }) => [200, 401, 403].includes(status)));
      const remaining = answers[0]?.status === 200 ? first : second;
      await asAdmin(remaining).user(admin, 'role', { role: 'ADMIN' });
      await remove(remaining);
      await settle();
    }
  });

  test('uploads that run during the deletion leave nothing behind', async () => {
    const ann = await holdall.register('ann');
    const uploads = Array.from({ length: 12 }, (_, index) =>
      ann.call('POST', '/api/files/upload', { body: formWith(`file ${index}`) }),
    );
    await Promise.all([...uploads, remove(ann)]);
    await settle();
    await app.cleanUp();
    assert.equal(await accountExists(ann), false);
    assert.deepEqual(await tablesReferringTo(ann), []);
    await checkBooks(holdall);
  });

  test('two instances can delete the same account', async () => {
    const { ann } = await registerFullAccount(holdall);
    await withPausedDeletion(async () => void (await remove(ann)));
    const { signal } = new AbortController();
    await Promise.all([app.accountRemoval.run(signal), secondInstance.app.accountRemoval.run(signal)]);
    assert.equal(await accountExists(ann), false);
    await checkBooks(holdall);
  });
});

test(
  'a deletion that is interrupted repeatedly resumes each time, and the doctor finds no fault',
  onSqlite,
  async () => {
    const { ann } = await registerFullAccount(holdall);
    await withPausedDeletion(async () => {
      await remove(ann);
      let rounds = 0;
      for (let queries = 4; await accountExists(ann); queries += 4) {
        rounds += 1;
        const controller = new AbortController();
        let left = queries;
        onQuery = () => {
          left -= 1;
          if (left === 0) controller.abort();
        };
        await app.accountRemoval
          .run(controller.signal)
          .catch((error) => assert.ok(controller.signal.aborted, error));
        onQuery = () => {};
        assert.deepEqual((await diagnose(app)).faults, []);
      }
      assert.ok(rounds > 5, `${rounds} rounds`);
    });
    assert.deepEqual(await tablesReferringTo(ann), []);
    await checkBooks(holdall);
  },
);

function formWith(name: string): FormData {
  const form = new FormData();
  form.set('path', '/');
  form.set('file', new Blob([name]), name);
  return form;
}
