// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { insertInvite } from '../../src/accounts/registration/invite-queries.ts';
import type { AdminInvite } from '../../src/admin/invites/contract.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/clock.ts';
import type { Letter } from '../../src/mail/mail.ts';
import { MAX_KEPT_FAILURES } from '../../src/mail/sending/outbox.ts';
import { MAX_ATTEMPTS } from '../../src/mail/sending/retries.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { findMail, mailEnvironment, queueLetter } from '../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../support/mail/smtp-server.ts';

const smtp = await TestSmtpServer.start();
const log: string[] = [];
const holdall = await startHoldall({
  env: mailEnvironment(smtp),
  logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
});
const { app, clock } = holdall;
clock.stop();

const sendDue = () => app.mailDelivery.runOnce();

describe('queued mail', () => {
  test('is sent in the language of the recipient, as text and HTML, and then deleted', async () => {
    const [english, chinese] = ['english@example.org', 'chinese@example.org'];
    await queueLetter(holdall, english, { kind: 'PASSWORD_RESET', displayName: 'Ada', token: 'token-1' });
    await queueLetter(
      holdall,
      chinese,
      { kind: 'PASSWORD_RESET', displayName: '王伟', token: 'token-2' },
      { language: 'zh-Hans-CN' },
    );
    await sendDue();
    const [inEnglish] = smtp.mailsTo(english);
    assert(inEnglish);
    assert.equal(inEnglish.subject, 'Reset your Holdall password');
    assert.equal(inEnglish.from, 'holdall@example.org');
    assert.match(inEnglish.headers.get('from') ?? '', /^"?Holdall"? <holdall@example\.org>$/);
    assert.equal(inEnglish.headers.get('auto-submitted'), 'auto-generated');
    assert.equal(inEnglish.headers.get('content-language'), 'en');
    for (const body of [inEnglish.text, inEnglish.html]) {
      assert(body.includes('Hello Ada,'));
      assert(body.includes('https://drive.example.org/reset-password#token=token-1'));
    }
    const [inChinese] = smtp.mailsTo(chinese);
    assert(inChinese);
    assert.equal(inChinese.subject, '重置您的 Holdall 密码');
    assert.equal(inChinese.headers.get('content-language'), 'zh-CN');
    assert(inChinese.html.includes('<html lang="zh-CN">'));
    for (const body of [inChinese.text, inChinese.html]) {
      assert(body.includes('王伟，您好'));
      assert(body.includes('https://drive.example.org/reset-password#token=token-2'));
    }
    assert.equal(await findMail(holdall, english), undefined);
    assert.equal(await findMail(holdall, chinese), undefined);
  });

  test('names the page on which it can be turned off, unless it is about security', async () => {
    const [optional, security] = ['optional@example.org', 'security@example.org'];
    const full = { driveId: 1, driveName: 'Plans', usedBytes: 95, quotaBytes: 100 };
    await queueLetter(holdall, optional, { kind: 'DRIVE_FULL', ...full });
    const event = { event: 'ADD_PASSKEY', program: null, address: null } as const;
    await queueLetter(holdall, security, { kind: 'SECURITY', ...event });
    await sendDue();
    const unsubscribe = (address: string) => smtp.mailsTo(address)[0]?.headers.get('list-unsubscribe');
    assert.equal(unsubscribe(optional), '<https://drive.example.org/profile/devices#notifications>');
    assert.equal(unsubscribe(security), undefined);
    assert(smtp.mailsTo(security).length === 1);
  });

  test('is stored encrypted, and its token is in no column', async () => {
    const to = 'sealed@example.org';
    await queueLetter(holdall, to, { kind: 'VERIFICATION', token: 'secret-token' });
    const row = await findMail(holdall, to);
    assert(row?.sealed_data);
    const stored = JSON.stringify(row) + Buffer.from(row.sealed_data, 'base64url').toString('latin1');
    assert(!stored.includes('secret-token'));
    await sendDue();
  });

  test('is not queued if the transaction of its cause fails', async () => {
    const to = 'rolled-back@example.org';
    const failing = app.database.transact(async (tx) => {
      const letter = { kind: 'TEST' } as const;
      await app.mail.queue(tx, { to, accountId: null, language: null, letter });
      throw new Error('the cause fails');
    });
    await assert.rejects(failing, /the cause fails/);
    await sendDue();
    assert.deepEqual(smtp.mailsTo(to), []);
  });

  test('is sent soon after the commit, without another trigger', async () => {
    const to = 'soon@example.org';
    const second = await startHoldall({ beside: holdall, env: mailEnvironment(smtp) });
    second.app.mailDelivery.start();
    await queueLetter(second, to);
    await smtp.waitForMails(to, 1);
  });
});

describe('a mail that the server does not accept', () => {
  test('is sent again after 1, 5, 15 and 60 minutes, and then every 4 hours for two days', async () => {
    const to = 'greylisted@example.org';
    smtp.answerRecipient = (address) =>
      address === to ? { code: 450, text: '4.2.0 Greylisted, try again later' } : undefined;
    await queueLetter(holdall, to);
    const began = clock.now();
    const delays = [];
    for (;;) {
      await sendDue();
      const row = await findMail(holdall, to);
      assert(row);
      assert.equal(row.last_error, '450 4.2.0 Greylisted, try again later');
      if (row.next_attempt_at === null) break;
      const delay = row.next_attempt_at - clock.now();
      delays.push(delay);
      clock.advance(delay - SECOND);
      await sendDue();
      assert.equal((await findMail(holdall, to))?.attempts, row.attempts, 'not before it is due');
      clock.advance(SECOND);
    }
    assert.deepEqual(delays.slice(0, 4), [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE]);
    assert(delays.slice(4).every((delay) => delay === 4 * HOUR));
    const total = clock.now() - began;
    assert(total <= 2 * DAY && total > 2 * DAY - 4 * HOUR, String(total));
    const failed = await findMail(holdall, to);
    assert.equal(failed?.sealed_data, null);
    assert.equal(failed?.failed_at, clock.now());
  });

  test('arrives once the server accepts it', async () => {
    const to = 'postponed@example.org';
    smtp.answerMail = () => ({ code: 451, text: '4.3.0 Try again' });
    await queueLetter(holdall, to);
    await sendDue();
    assert.deepEqual(smtp.mailsTo(to), []);
    smtp.answerMail = () => undefined;
    clock.advance(MINUTE);
    await sendDue();
    assert.equal(smtp.mailsTo(to).length, 1);
  });

  test('fails at once after an answer 5xx, and its letter is forgotten', async () => {
    const to = 'unknown@example.org';
    smtp.answerRecipient = (address) =>
      address === to ? { code: 550, text: '5.1.1 No such user' } : undefined;
    await queueLetter(holdall, to);
    await queueLetter(holdall, 'known@example.org');
    await sendDue();
    const row = await findMail(holdall, to);
    assert.equal(row?.attempts, 1);
    assert.equal(row?.next_attempt_at, null);
    assert.equal(row?.sealed_data, null);
    assert.equal(row?.last_error, '550 5.1.1 No such user');
    assert.equal(smtp.mailsTo('known@example.org').length, 1, 'the others are sent');
  });

  test('fails after a day if it can be turned off, because its news is old', async () => {
    const to = 'late-news@example.org';
    const full = { driveId: 1, driveName: null, usedBytes: 95, quotaBytes: 100 };
    await queueLetter(holdall, to, { kind: 'DRIVE_FULL', ...full });
    holdall.clock.advance(DAY);
    await holdall.app.mailDelivery.runOnce();
    assert.equal((await findMail(holdall, to))?.last_error, 'It has expired.');
  });

  test('fails once its link has expired, because no one could use it', async () => {
    const to = 'late@example.org';
    smtp.answerMail = () => ({ code: 451, text: '4.3.0 Try again' });
    await queueLetter(holdall, to, { kind: 'PASSWORD_RESET', displayName: 'Ada', token: 'token' });
    for (const delay of [0, MINUTE, 5 * MINUTE, 15 * MINUTE]) {
      assert.equal((await findMail(holdall, to))?.failed_at, null);
      clock.advance(delay);
      await sendDue();
    }
    smtp.answerMail = () => undefined;
    assert.notEqual((await findMail(holdall, to))?.failed_at, null);
    clock.advance(HOUR);
    await sendDue();
    assert.deepEqual(smtp.mailsTo(to), []);
  });

  test('is kept for administrators for 30 days', async () => {
    const to = 'old@example.org';
    smtp.answerRecipient = (address) => (address === to ? { code: 550, text: 'No' } : undefined);
    await queueLetter(holdall, to);
    await sendDue();
    clock.advance(30 * DAY - SECOND);
    await app.cleanUp();
    assert(await findMail(holdall, to));
    clock.advance(SECOND);
    await app.cleanUp();
    assert.equal(await findMail(holdall, to), undefined);
  });
});

describe('a failed mail', () => {
  test('is logged without the address of its recipient', async () => {
    const to = 'Private+name@example.org';
    smtp.answerRecipient = (address) =>
      address === to ? { code: 550, text: `5.1.1 <${to.toLowerCase()}>: ${to} is unknown` } : undefined;
    await queueLetter(holdall, to);
    log.length = 0;
    await sendDue();
    const { error, kind } = JSON.parse(log.find((line) => line.includes('a mail was not sent')) ?? '');
    assert.deepEqual([kind, error], ['TEST', '550 5.1.1 <…>: … is unknown']);
    assert.doesNotMatch(log.join(''), /private/i);
    assert.match((await findMail(holdall, to))?.last_error ?? '', /Private/, 'administrators see it');
  });

  test('replaces the oldest one if there are 1,000', async () => {
    const [old, to] = ['old-failure@example.org', 'rejected@example.org'];
    await app.database.transact(async (tx) => {
      await tx.deleteFrom('mail').execute();
      await sql`
        insert into mail (address, kind, language, created_at, failed_at)
        with recursive numbers (number) as (
          select 1 union all select number + 1 from numbers where number < ${MAX_KEPT_FAILURES}
        )
        select cast(${old} as text), 'TEST', 'en', 0, number from numbers`.execute(tx);
    });
    smtp.answerRecipient = (address) => (address === to ? { code: 550, text: 'No' } : undefined);
    await queueLetter(holdall, to);
    await sendDue();
    const failed = await app.database.db.selectFrom('mail').select(['address', 'failed_at']).execute();
    assert.equal(failed.length, MAX_KEPT_FAILURES);
    assert.equal(Math.min(...failed.map(({ failed_at: at }) => at ?? 0)), 2);
    assert(failed.some(({ address }) => address === to));
    await app.database.transact((tx) => tx.deleteFrom('mail').execute());
  });
});

test('an invitation is not sent once its invite was deleted, is used up or has expired', async () => {
  const admin = await holdall.admin();
  const invite = (email: string, more = {}) =>
    admin.ask<AdminInvite>('POST', '/api/admin/invites', { body: { uses: 1, email, ...more } });
  const expiresAt = new Date(clock.now() + MINUTE).toISOString();
  const expired = await invite('expired@example.org', { expiresAt });
  const [deleted, spent] = [await invite('deleted@example.org'), await invite('spent@example.org')];
  await invite('open@example.org');
  await admin.ask('DELETE', `/api/admin/invites/${deleted.id}`);
  await app.database.transact((tx) =>
    tx.updateTable('invite').set({ used_count: 1 }).where('id', '=', spent.id).execute(),
  );
  clock.advance(MINUTE);
  await sendDue();
  for (const { code } of [expired, deleted, spent]) {
    assert(!smtp.mails.some(({ text }) => text.includes(code)));
  }
  for (const name of ['expired', 'deleted', 'spent']) {
    const row = await findMail(holdall, `${name}@example.org`);
    assert.equal(row?.last_error, 'The invite was deleted, has expired or is used up.');
    assert.equal(row?.next_attempt_at, null);
  }
  assert.equal(smtp.mailsTo('open@example.org').length, 1);
});

test('a mail is not sent to a blocked account', async () => {
  const person = await holdall.register('blocked');
  const to = 'blocked@example.org';
  const mail = { to, accountId: person.id, language: null, letter: { kind: 'TEST' } } as const;
  await app.database.transact((tx) => app.mail.queue(tx, mail));
  await (await holdall.admin()).ask('PATCH', `/api/admin/users/${person.id}/status`, {
    body: { status: 'BANNED' },
  });
  await sendDue();
  assert.equal((await findMail(holdall, to))?.last_error, 'The account is blocked or deleted.');
  assert.deepEqual(smtp.mailsTo(to), []);
});

test('a mail waits a second before the next attempt even if delays are scaled to nothing', async () => {
  const to = 'unscaled@example.org';
  const env = { ...mailEnvironment(smtp), HOLDALL_TASK_BACKOFF_SCALE: '0' };
  const unscaled = await startHoldall({ beside: holdall, env });
  smtp.answerMail = () => ({ code: 451, text: '4.3.0 Try again' });
  await queueLetter(unscaled, to);
  await unscaled.app.mailDelivery.runOnce();
  smtp.answerMail = () => undefined;
  const row = await findMail(holdall, to);
  assert.deepEqual([row?.attempts, row?.next_attempt_at], [1, clock.now() + SECOND]);
  clock.advance(SECOND);
  await unscaled.app.mailDelivery.runOnce();
  assert.equal(smtp.mailsTo(to).length, 1);
});

test('a mail whose attempts crash is given up after as many as for any other', async () => {
  const to = 'crashing@example.org';
  await queueLetter(holdall, to);
  await app.database.transact((tx) =>
    tx.updateTable('mail').set({ attempts: MAX_ATTEMPTS }).where('address', '=', to).execute(),
  );
  await sendDue();
  assert.equal((await findMail(holdall, to))?.last_error, 'There were too many attempts.');
  assert.deepEqual(smtp.mailsTo(to), []);
});

test('a letter of an unknown kind fails, and says why', async () => {
  const to = 'other-version@example.org';
  await queueLetter(holdall, to, { kind: 'LATER' } as unknown as Letter);
  await sendDue();
  assert.equal((await findMail(holdall, to))?.last_error, 'It was queued by another version of Holdall.');
});

test('a mail that was queued with another secret fails, and says why', async () => {
  const to = 'other-secret@example.org';
  const secret = 'another secret of this service, long enough';
  const other = await startHoldall({
    beside: holdall,
    env: { ...mailEnvironment(smtp), HOLDALL_JWT_SECRET: secret },
  });
  await queueLetter(other, to);
  await sendDue();
  assert.equal((await findMail(holdall, to))?.last_error, 'It was queued with another HOLDALL_JWT_SECRET.');
});

test('a name adds no header and no HTML to a mail', async () => {
  const to = 'victim@example.org';
  const inviterName = 'Eve\r\nBcc: a@example.org\r\n\r\n<img src="//evil.example/">';
  const code = 'a"><b>&code';
  await app.database.transact((tx) =>
    insertInvite(tx, { code, note: null, creatorId: 1, maxUses: 1, expiresAt: null, createdAt: clock.now() }),
  );
  await queueLetter(holdall, to, { kind: 'INVITATION', inviterName, code });
  await sendDue();
  const [mail] = smtp.mailsTo(to);
  assert(mail);
  assert.equal(mail.to, to);
  assert.equal(mail.headers.get('bcc'), undefined);
  // With spaces of no width, so that no mail program finds an address in it.
  const name = 'Eve Bcc: a@\u200Bexample.\u200Borg <img src="//evil.\u200Bexample/">';
  assert.equal(mail.subject, `${name} invites you to Holdall`);
  assert(!mail.html.includes('<img') && !mail.html.includes('<b>'), mail.html);
  assert(mail.text.includes(`${name} invites you`));
  assert(mail.text.includes('https://drive.example.org/register#code=a%22%3E%3Cb%3E%26code'));
});

test('mail comes from the instance under the name that its administrator gave to it', async () => {
  const to = 'invited@example.org';
  await app.database.transact(async (tx) => {
    await app.identity.setTexts(tx, { name: 'Meyer & "family"' });
    const invite = { code: 'named', note: null, creatorId: 1, maxUses: 1, expiresAt: null };
    await insertInvite(tx, { ...invite, createdAt: clock.now() });
  });
  await queueLetter(holdall, to, { kind: 'INVITATION', inviterName: 'Ann', code: 'named' });
  await sendDue();
  const [mail] = smtp.mailsTo(to);
  assert(mail);
  assert.equal(mail.subject, 'Ann invites you to Meyer & "family"');
  assert.match(mail.headers.get('from') ?? '', /Meyer & \\"family\\"" <holdall@example\.org>$/);
  assert(mail.text.includes('-- \nMeyer & "family"\nhttps://drive.example.org'), mail.text);
  assert(mail.html.includes('Meyer &amp; &quot;family&quot; · '), mail.html);
  await app.database.transact((tx) => app.identity.setTexts(tx, { name: null }));
});
