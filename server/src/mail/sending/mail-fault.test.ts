// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MailFault, toMailFault } from './mail-fault.ts';

function faultOf(details: Readonly<Record<string, unknown>>, password?: string): MailFault {
  return toMailFault(Object.assign(new Error('Sending failed'), details), password);
}

test('an answer to a command of a mail concerns that mail, and 5xx is final', () => {
  for (const command of ['MAIL FROM', 'RCPT TO', 'DATA']) {
    const rejected = faultOf({ command, responseCode: 550, response: '550 5.1.1 No such user' });
    assert.deepEqual([rejected.isFinal, rejected.concernsAll], [true, false]);
    assert.equal(rejected.message, '550 5.1.1 No such user');
    const postponed = faultOf({ command, responseCode: 451, response: '451 4.3.0 Later' });
    assert.deepEqual([postponed.isFinal, postponed.concernsAll], [false, false]);
  }
});

test('a server that closes the service cannot be used for any mail, and is tried again', () => {
  for (const command of ['CONN', 'MAIL FROM', 'RCPT TO', 'DATA']) {
    const fault = faultOf({ command, responseCode: 421, response: '421 4.7.0 Too many messages' });
    assert.deepEqual([fault.isFinal, fault.concernsAll], [false, true], command);
  }
});

test('a fault of a login has only the status codes', () => {
  const response = '535-5.7.8 AUTH PLAIN AGFkYQBzZWNyZXQ=';
  for (const details of [
    { code: 'EAUTH', response },
    { command: 'AUTH PLAIN', response },
  ]) {
    const fault = faultOf(details, 'secret');
    assert.equal(fault.message, 'The login at the mail server failed: 535 5.7.8.');
    assert.deepEqual([fault.isFinal, fault.concernsAll], [false, true]);
  }
  assert.equal(faultOf({ code: 'EAUTH' }).message, 'The login at the mail server failed.');
  const odd = faultOf({ code: 'EAUTH', response: '5351234.5678 secret' });
  assert.equal(odd.message, 'The login at the mail server failed.');
});

test('a repeated password is removed from every other fault', () => {
  const password = 'p w/';
  const response = `502 ${password} ${Buffer.from(password).toString('base64')} ${encodeURIComponent(password)}`;
  assert.equal(faultOf({ command: 'EHLO', response }, password).message, '502 … … …');
});
