// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toTimestamp } from '../../src/base/dates.ts';
import { runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { mailEnvironment, queueLetter } from '../support/mail/mailing-holdall.ts';
import { TestSmtpServer } from '../support/mail/smtp-server.ts';

const smtp = await TestSmtpServer.start();
const env = mailEnvironment(smtp);
const holdall = await startHoldall({ env: { ...env, HOLDALL_METRICS_TOKEN: 'metrics' } });
const { app, clock } = holdall;
clock.stop();
const admin = await holdall.admin();

describe('administrators', () => {
  test('see what waits, what failed and why, and clear it with an audit entry', async () => {
    smtp.answerRecipient = (address) => {
      if (address === 'bad@example.org') return { code: 550, text: '5.1.1 No such user' };
      return address === 'slow@example.org' ? { code: 450, text: '4.2.0 Later' } : undefined;
    };
    for (const name of ['good', 'bad', 'slow']) await queueLetter(holdall, `${name}@example.org`);
    await app.mailDelivery.runOnce();
    const now = toTimestamp(clock.now());
    const state = await admin.ask<{ failed: { id: number }[] }>('GET', '/api/admin/mail');
    const { failed, ...rest } = state;
    assert.deepEqual(
      failed.map(({ id: _, ...failure }) => failure),
      [{ kind: 'TEST', address: 'bad@example.org', at: now, error: '550 5.1.1 No such user' }],
    );
    const { lastError, ...counts } = rest as typeof rest & { lastError: string };
    assert.match(lastError, /^(?:550 5\.1\.1 No such user|450 4\.2\.0 Later)$/);
    assert.deepEqual(counts, {
      isOn: true,
      from: 'holdall@example.org',
      waiting: 1,
      oldestAt: now,
      lastSentAt: now,
    });
    await admin.ask('DELETE', '/api/admin/mail/failed');
    assert.deepEqual((await admin.ask<{ failed: [] }>('GET', '/api/admin/mail')).failed, []);
    const audits = await admin.ask<{ items: { summary: string }[] }>(
      'GET',
      '/api/admin/audits?actionType=CLEAR_FAILED_MAILS',
    );
    assert.deepEqual(
      audits.items.map(({ summary }) => summary),
      ['Cleared 1 failed mail from the list.'],
    );
    const person = await holdall.register();
    assert.equal((await person.call('GET', '/api/admin/mail')).status, 403);
  });

  test('see that mail is off', async () => {
    const silent = await startHoldall();
    const { isOn, from } = await (await silent.admin()).ask<{ isOn: boolean; from: null }>(
      'GET',
      '/api/admin/mail',
    );
    assert.deepEqual({ isOn, from }, { isOn: false, from: null });
  });

  test('get figures of sent, failed and waiting mails', async () => {
    const answer = await fetch(`${holdall.url}/metrics`, { headers: { authorization: 'Bearer metrics' } });
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('holdall_mails'));
    assert(lines.includes('holdall_mails_total{outcome="failed"} 1'), lines.join('\n'));
    assert(lines.some((line) => line.startsWith('holdall_mails_total{outcome="sent"} ')));
    assert(lines.some((line) => line.startsWith('holdall_mails_waiting ')));
  });
});

describe('holdall mail test', () => {
  test('sends a mail at once and prints the answer of the server', async () => {
    const { code, said } = await runCommand(env, ['mail', 'test', 'ada@example.org']);
    assert.equal(code, 0);
    assert.match(said.join('\n'), /^The mail server accepted the mail to ada@example\.org: 250 /);
    assert.equal(smtp.mailsTo('ada@example.org')[0]?.subject, 'Test mail from Holdall');
  });

  test('ends with 1 and the reason if the server rejects it, or mail is off', async () => {
    smtp.answerRecipient = () => ({ code: 550, text: '5.7.1 Not here' });
    assert.deepEqual(await runCommand(env, ['mail', 'test', 'ada@example.org']), {
      code: 1,
      said: [],
      complained: ['550 5.7.1 Not here'],
    });
    smtp.answerRecipient = () => undefined;
    const off = await runCommand({}, ['mail', 'test', 'ada@example.org']);
    assert.equal(off.code, 1);
    assert.deepEqual(off.complained, ['Mail is off: set HOLDALL_SMTP_URL and HOLDALL_MAIL_FROM.']);
    assert.equal((await runCommand(env, ['mail', 'test', 'nonsense'])).code, 2);
  });
});
