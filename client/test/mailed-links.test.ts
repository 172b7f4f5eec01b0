// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_PASSWORD, startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { emailOf, MAIL_ENVIRONMENT, tokenMailedTo } from '../../server/test/support/mail/letters.ts';
import { Holdall, InvalidError } from '../src/client.ts';

const service = await startHoldall({ env: MAIL_ENVIRONMENT });

test('mailed links verify an address and set a new password', async () => {
  const person = await service.register('ann');
  const email = emailOf(person);
  const { auth, account } = new Holdall({ url: service.url });
  await auth.logIn(person.username, PASSWORD);
  await account.requestEmailVerification();
  await auth.verifyEmail(await tokenMailedTo(service, email, 'VERIFICATION'));
  assert.equal((await account.profile()).emailVerified, true);
  await auth.requestPasswordReset(email);
  const token = await tokenMailedTo(service, email, 'PASSWORD_RESET');
  await auth.resetPassword(token, 'another four words here');
  await assert.rejects(auth.resetPassword(token, 'yet another four words'), InvalidError);
  await auth.logIn(person.username, 'another four words here');
  assert.equal((await account.profile()).id, person.id);
});

test('administrators see the state of mail, and clear what failed', async () => {
  const { auth, admin } = new Holdall({ url: service.url });
  await auth.logIn('admin', ADMIN_PASSWORD);
  const { isOn, from, failed } = await admin.mail();
  assert.deepEqual([isOn, from, failed], [true, MAIL_ENVIRONMENT.HOLDALL_MAIL_FROM, []]);
  await admin.clearFailedMails();
});
