// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

const FROM = { HOLDALL_MAIL_FROM: 'holdall@example.org' };

test('the URL of a mail server has a host, and may have a port, a user and a password', () => {
  const read = (url: string) => readConfig({ ...FROM, HOLDALL_SMTP_URL: url }).mail;
  const plain = { from: 'holdall@example.org', isTls: false, isLocal: false, login: undefined };
  assert.deepEqual(read('smtp://mail.example.org'), { ...plain, host: 'mail.example.org', port: 587 });
  assert.deepEqual(read('smtp://127.0.0.1:25/'), { ...plain, host: '127.0.0.1', port: 25, isLocal: true });
  assert.deepEqual(read('smtp://[::1]:25'), { ...plain, host: '::1', port: 25, isLocal: true });
  assert.deepEqual(read('smtps://me%40example.org:p%3A%2F@mail.example.org'), {
    ...{ ...plain, host: 'mail.example.org', port: 465, isTls: true },
    login: { user: 'me@example.org', password: 'p:/' },
  });
  assert.equal(readConfig({}).mail, undefined);
});

test('settings of mail that cannot work stop the start, and no message repeats the password', () => {
  const faultOf = (values: Record<string, string>) => {
    try {
      readConfig(values);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
    }
    return 'accepted';
  };
  assert.match(faultOf(FROM), /HOLDALL_SMTP_URL must be set, as HOLDALL_MAIL_FROM is\./);
  assert.match(
    faultOf({ HOLDALL_SMTP_URL: 'smtp://mail.example.org' }),
    /HOLDALL_MAIL_FROM must be set, as HOLDALL_SMTP_URL is\./,
  );
  for (const from of ['Holdall <holdall@example.org>', 'holdall', 'a@b\r\nBcc: c@d', 'a@b, c@d']) {
    const values = { HOLDALL_SMTP_URL: 'smtp://mail.example.org', HOLDALL_MAIL_FROM: from };
    assert.match(faultOf(values), /HOLDALL_MAIL_FROM must be a bare address/, from);
  }
  for (const url of [
    'https://user:topsecret@mail.example.org',
    'smtp://user:topsecret@',
    'smtp://user:topsecret@mail.example.org/path',
    'smtp://user:topsecret@mail.example.org?tls=no',
    'smtp://topsecret@mail.example.org',
    'smtp://user:topsecret%@mail.example.org',
  ]) {
    const fault = faultOf({ ...FROM, HOLDALL_SMTP_URL: url });
    assert.match(fault, /HOLDALL_SMTP_URL must be a URL such as/, url);
    assert(!fault.includes('topsecret'), url);
  }
});
