// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { MailSettings } from '../../src/config/mail.ts';
import { sendTestMail } from '../../src/mail/mail.ts';
import { TestSmtpServer } from '../support/mail/smtp-server.ts';

const LOGIN = { user: 'holdall@example.org', password: 'a password: with/signs' };
const [encrypted, plain, fromBeginning] = await Promise.all([
  TestSmtpServer.start({ tls: 'starttls', login: LOGIN }),
  TestSmtpServer.start({ tls: 'none', login: LOGIN }),
  TestSmtpServer.start({ tls: 'tls', login: LOGIN }),
]);

function settingsFor({ port }: TestSmtpServer, scheme = 'smtp', login = LOGIN): MailSettings {
  const userInfo = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`;
  const { mail } = readConfig({
    HOLDALL_SMTP_URL: `${scheme}://${userInfo}@127.0.0.1:${port}`,
    HOLDALL_MAIL_FROM: 'holdall@example.org',
  });
  assert(mail);
  return mail;
}

const send = (settings: MailSettings) =>
  sendTestMail(settings, { to: 'ada@example.org', publicUrl: 'https://drive.example.org', messageId: 'id' });

describe('mail', () => {
  test('is encrypted with STARTTLS before the login', async () => {
    assert.match(await send(settingsFor(encrypted)), /^250 /);
    const [mail] = encrypted.mails;
    assert.equal(mail?.isEncrypted, true);
    assert.equal(mail?.user, LOGIN.user);
    assert.equal(mail?.subject, 'Test mail from Holdall');
  });

  test('is encrypted from the beginning with smtps', async () => {
    assert.match(await send(settingsFor(fromBeginning, 'smtps')), /^250 /);
    assert.equal(fromBeginning.mails[0]?.user, LOGIN.user);
  });
});

describe('the password for the mail server', () => {
  test('is not sent over the network without encryption', async () => {
    await assert.rejects(send({ ...settingsFor(plain), isLocal: false }), { name: 'MailFault' });
    assert.deepEqual(plain.passwords, []);
  });

  test('is not sent to a server whose certificate cannot be checked', async () => {
    const before = encrypted.passwords.length;
    await assert.rejects(send({ ...settingsFor(encrypted), isLocal: false }), /certificate/);
    assert.equal(encrypted.passwords.length, before);
  });

  test('is not in the message when the server repeats it, in any encoding', async () => {
    // The length of the name decides where the password begins in the encoded login.
    for (const user of ['ada', 'adam', 'adams']) {
      const login = { user, password: 'a wrong password' };
      await assert.rejects(send(settingsFor(encrypted, 'smtp', login)), {
        message: 'The login at the mail server failed: 535 5.7.8.',
      });
    }
  });
});
