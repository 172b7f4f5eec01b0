// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { DAY } from '../../src/base/clock.ts';
import type { Letter, MailToQueue } from '../../src/mail/mail.ts';
import {
  MAX_MAILS_PER_DAY,
  MAX_OPTIONAL_MAILS_PER_DAY,
  MAX_WAITING_MAILS,
  MAX_WAITING_OPTIONAL_MAILS,
} from '../../src/mail/queue.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { mailEnvironment, queueLetter } from '../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../support/mail/smtp-server.ts';

const log: string[] = [];
const statements: string[] = [];
const smtp = await TestSmtpServer.start();
const holdall = await startHoldall({
  env: mailEnvironment(smtp),
  onQuery: ({ sql: text }) => void statements.push(text),
  logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
});
const { app, clock } = holdall;
clock.stop();

const DRIVE_FULL: Letter = {
  ...{ kind: 'DRIVE_FULL', driveId: 1, driveName: null, usedBytes: 95, quotaBytes: 100 },
};
const countsOf = (accountId: number) =>
  app.database.db
    .selectFrom('mail_count')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
const emptyOutbox = () => app.database.transact((tx) => tx.deleteFrom('mail').execute());
/** The mails are not due today. */
const fillOutbox = (count: number) =>
  app.database.transact((tx) =>
    sql`
      insert into mail (address, kind, language, sealed_data, created_at, next_attempt_at)
      with recursive numbers (number) as (
        select 1 union all select number + 1 from numbers where number < ${count}
      )
      select 'many@example.org', 'TEST', 'en', '', ${clock.now()}, ${clock.now() + DAY} from numbers`.execute(
      tx,
    ),
  );

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

test('mails that can be turned off are at most 50 on a day, and leave the others their own limit', async () => {
  const { id: accountId } = await holdall.register();
  const { mails } = await countsOf(accountId);
  const queue = (letter: Letter) => ({ to: 'many@example.org', accountId, language: null, letter });
  const optional = Array.from({ length: MAX_OPTIONAL_MAILS_PER_DAY + 30 }, () => queue(DRIVE_FULL));
  const needed = Array.from({ length: MAX_MAILS_PER_DAY + 30 }, () => queue({ kind: 'TEST' }));
  const queueAll = (all: readonly MailToQueue[]) => app.database.transact((tx) => app.mail.queueAll(tx, all));
  assert.equal(await queueAll(optional.slice(0, 40)), 40);
  assert.equal(await queueAll(optional.slice(40)), 10);
  assert.equal(await queueAll([...optional, ...needed]), MAX_MAILS_PER_DAY - mails);
});

test('an outbox with 9,000 waiting mails takes only those that cannot be turned off', async () => {
  const { id: accountId } = await holdall.register();
  await emptyOutbox();
  await fillOutbox(MAX_WAITING_OPTIONAL_MAILS - 1);
  const queue = (letter: Letter) => queueLetter(holdall, 'full@example.org', letter, { accountId });
  assert.deepEqual([await queue(DRIVE_FULL), await queue(DRIVE_FULL)], [true, false]);
  assert.equal(await queue({ kind: 'SECURITY', event: 'NEW_LOGIN', program: null, address: null }), true);
});

test('many mails take as many statements as one', async () => {
  await emptyOutbox();
  const people = [await holdall.register(), await holdall.register(), await holdall.register()];
  const countStatements = async (accountIds: readonly number[]) => {
    const before = statements.length;
    const mails = accountIds.map((accountId) => ({
      ...{ to: 'a@example.org', accountId, language: null, letter: DRIVE_FULL },
    }));
    assert.equal(await app.database.transact((tx) => app.mail.queueAll(tx, mails)), mails.length);
    return statements.slice(before).filter((text) => /\bmail(_count)?\b/.test(text)).length;
  };
  const ids = people.map(({ id }) => id);
  assert.equal(await countStatements(ids.slice(0, 1)), 3);
  assert.equal(await countStatements([...ids, ...ids]), 3);
});

test('an outbox with 10,000 waiting mails takes no more, until some were sent', async () => {
  await emptyOutbox();
  await fillOutbox(MAX_WAITING_MAILS);
  assert.equal(await queueLetter(holdall, 'one-more@example.org'), false);
  assert(log.some((line) => line.includes('outbox-full')));
  await app.database.transact((tx) =>
    sql`delete from mail where id = (select max(id) from mail)`.execute(tx),
  );
  assert.equal(await queueLetter(holdall, 'one-more@example.org'), true);
  assert.equal(await queueLetter(holdall, 'yet-another@example.org'), false);
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
