// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { NotificationKind } from '../../src/base/domain/notifications.ts';
import { MAX_KEPT } from '../../src/notifications/notifications.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { dataOf, listNotifications } from '../support/notifications/listed.ts';
import { notify, SAMPLES } from '../support/notifications/notify.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const { app, clock } = holdall;

const insert = (person: Person, kind: NotificationKind, count: number) =>
  app.database.transact((tx) =>
    sql`insert into notification (account_id, kind, created_at, data)
      with recursive numbers (number) as (
        select 1 union all select number + 1 from numbers where number < ${count}
      )
      select ${person.id}, ${kind}, ${clock.now()}, ${JSON.stringify(SAMPLES[kind])}
      from numbers`.execute(tx),
  );
const totalOf = async (person: Person) => (await listNotifications(person)).total;
const runJob = () => app.notifications.deleteOld(new AbortController().signal);

describe('surplus notifications', () => {
  test('are those beyond 1,000, and deleted immediately only beyond 1,100', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await notify(holdall, bob, 'TRANSFER_FETCHED');
    await notify(holdall, ann, 'TRANSFER_FETCHED', { fileName: 'the oldest' });
    await insert(ann, 'TRANSFER_FETCHED', MAX_KEPT + 98);
    await notify(holdall, ann, 'TRANSFER_FETCHED');
    assert.equal(await totalOf(ann), MAX_KEPT + 100);
    await notify(holdall, ann, 'TRANSFER_FETCHED', { fileName: 'the newest' });
    assert.equal(await totalOf(ann), MAX_KEPT);
    const kept = await dataOf(ann, 'TRANSFER_FETCHED');
    assert.equal(kept[0]?.fileName, 'the newest');
    assert(!kept.some(({ fileName }) => fileName === 'the oldest'));
    await insert(ann, 'TRANSFER_FETCHED', 50);
    await runJob();
    assert.deepEqual([await totalOf(ann), await totalOf(bob)], [MAX_KEPT, 1]);
  });

  test('do not push out those about security, which have a limit of their own', async () => {
    const person = await holdall.register();
    await notify(holdall, person, 'SECURITY');
    await insert(person, 'TRANSFER_FETCHED', MAX_KEPT + 200);
    await notify(holdall, person, 'TRANSFER_FETCHED');
    await runJob();
    assert.equal(await totalOf(person), MAX_KEPT + 1);
    await insert(person, 'SECURITY', MAX_KEPT);
    await runJob();
    assert.equal(await totalOf(person), MAX_KEPT + MAX_KEPT);
  });
});
