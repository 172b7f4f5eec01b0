// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdminInvite } from '../../src/admin/invites/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing } from '../support/app/person.ts';
import { lettersTo, MAIL_ENVIRONMENT } from '../support/mail/letters.ts';

const INVITES = '/api/admin/invites';
const MAX_WAITING = 10_000;

const holdall = await startHoldall({ env: MAIL_ENVIRONMENT });
const admin = await holdall.admin();
const { database } = holdall.app;
const { db } = database;
const countInvites = async () => (await admin.ask<Listing<AdminInvite>>('GET', INVITES)).total;

test('an invite with an address is mailed in the language of the administrator', async () => {
  const headers = { 'accept-language': 'zh-CN' };
  await admin.ask('POST', INVITES, { body: { uses: 1, email: 'first@example.org' }, headers });
  assert.equal((await lettersTo(holdall, 'first@example.org'))[0]?.language, 'zh-CN');
  const profile = { preferredLanguage: 'zh-TW', displayName: 'The boss' };
  await admin.ask('PUT', '/api/user/profile', { body: profile });
  const body = { uses: 1, email: ' New.Guest@example.org ' };
  const invite = await admin.ask<AdminInvite>('POST', INVITES, { body });
  const queued = await lettersTo(holdall, 'New.Guest@example.org');
  const letter = { kind: 'INVITATION', inviterName: 'The boss', code: invite.code };
  assert.deepEqual(queued, [{ accountId: null, language: 'zh-CN', letter }]);
  const { items } = await asAdmin(admin).audits({ action: 'CREATE_INVITE' });
  for (const said of [JSON.stringify(invite), JSON.stringify(items)]) assert.doesNotMatch(said, /Guest/);
});

test('an invite without an address, or with null, is not mailed', async () => {
  const before = await db.selectFrom('mail').selectAll().execute();
  for (const body of [{ uses: 1 }, { uses: 1, email: null }]) await admin.ask('POST', INVITES, { body });
  assert.equal((await db.selectFrom('mail').selectAll().execute()).length, before.length);
});

test('an invite that cannot be mailed is not created', async () => {
  const before = await countInvites();
  for (const email of ['', 'nobody', 'a@b', 'a@example.org\r\nBcc: b@example.org']) {
    await admin.refused(400, 1000, 'POST', INVITES, { body: { uses: 1, email } });
  }
  const { anonymous } = await startHoldall({ beside: holdall });
  const body = { uses: 1, email: 'guest@example.org' };
  await anonymous.with(admin.login).refused(400, 1003, 'POST', INVITES, { body });
  assert.equal(await countInvites(), before);
});

test('an invite is 503, and not created, while too many mails wait', async () => {
  const before = await countInvites();
  const waiting = {
    ...{ address: 'someone@example.org', kind: 'TEST', language: 'en', sealed_data: 'x', created_at: 0 },
    next_attempt_at: Number.MAX_SAFE_INTEGER,
  };
  for (let count = 0; count < MAX_WAITING; count += 500) {
    const rows = Array.from({ length: 500 }, () => waiting);
    await database.transact((tx) => tx.insertInto('mail').values(rows).execute());
  }
  const body = { uses: 1, email: 'guest@example.org' };
  const answer = await admin.refused(503, 1503, 'POST', INVITES, { body });
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal(await countInvites(), before);
  assert.deepEqual(await lettersTo(holdall, 'guest@example.org'), []);
});
