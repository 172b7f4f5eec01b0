// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { DAY } from '../../src/base/clock.ts';
import { MAX_MAILS_PER_DAY, MAX_WAITING_MAILS } from '../../src/mail/mail.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { mailEnvironment, queueLetter } from '../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../support/mail/smtp-server.ts';

const log: string[] = [];
const smtp = await TestSmtpServer.start();
const holdall = await startHoldall({
  env: mailEnvironment(smtp),
  logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
});
const { app, clock } = holdall;
clock.stop();

test('an account gets at most 200 mails on a day, and more are dropped with a line in the log', async () => {
  const { id: accountId } = await holdall.register();
  const queue = () => queueLetter(holdall, 'flooded@example.org', { kind: 'TEST' }, { accountId });
  await app.database.transact((tx) =>
    tx
      .updateTable('mail_count')
      .set({ mails: MAX_MAILS_PER_DAY - 5 })
      .where('account_id', '=', accountId)
      .execute(),
  );
  const results = await Promise.all(Array.from({ length: 20 }, queue));
  assert.equal(results.filter((isQueued) => isQueued).length, 5);
  assert(log.some((line) => line.includes('too-many-for-account')));
  clock.advance(DAY);
  assert.equal(await queue(), true, 'the next day');
});

test('an outbox with 10,000 waiting mails takes no more, until some were sent', async () => {
  await app.mailDelivery.runOnce();
  await app.database.transact(async (tx) => {
    await sql`
      insert into mail (address, kind, language, sealed_data, created_at, next_attempt_at)
      with recursive numbers (number) as (
        select 1 union all select number + 1 from numbers where number < ${MAX_WAITING_MAILS}
      )
      select 'many@example.org', 'TEST', 'en', '', ${clock.now()}, ${clock.now() + DAY} from numbers`.execute(
      tx,
    );
  });
  assert.equal(await queueLetter(holdall, 'one-more@example.org'), false);
  assert(log.some((line) => line.includes('outbox-full')));
  await app.database.transact((tx) =>
    sql`delete from mail where id = (select max(id) from mail)`.execute(tx),
  );
  assert.equal(await queueLetter(holdall, 'one-more@example.org'), true);
  assert.equal(await queueLetter(holdall, 'yet-another@example.org'), false);
  await app.database.transact((tx) => tx.deleteFrom('mail').execute());
});

test('nothing is queued while mail is off', async () => {
  const { HOLDALL_PUBLIC_URL: _, ...withoutUrl } = mailEnvironment(smtp);
  for (const env of [{}, withoutUrl]) {
    const silent = await startHoldall({ env });
    assert.equal(silent.app.mail.isOn, false);
    assert.equal(await queueLetter(silent, 'nobody@example.org'), false);
    assert.deepEqual(await silent.app.database.db.selectFrom('mail').selectAll().execute(), []);
  }
});

test('the mails to an account are deleted with it', async () => {
  const person = await holdall.register();
  await queueLetter(holdall, 'gone@example.org', { kind: 'TEST' }, { accountId: person.id });
  await (await holdall.admin()).ask('DELETE', `/api/admin/users/${person.id}`, {
    body: { username: person.username },
  });
  await app.cleanUp();
  for (const table of ['mail', 'mail_count'] as const) {
    const rows = await app.database.db
      .selectFrom(table)
      .select('account_id')
      .where('account_id', '=', person.id)
      .execute();
    assert.deepEqual(rows, [], table);
  }
});
