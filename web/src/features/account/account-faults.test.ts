// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as rules from '../../../../server/src/accounts/account-rules.ts';
import {
  findBioFault,
  findDisplayNameFault,
  findEmailFault,
  findPasswordFault,
  findPhoneNumberFault,
  findRegistrationFaults,
  findUsernameFault,
} from './account-faults.ts';

const accepts = (check: () => unknown) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

const LONG = 'x'.repeat(300);

test('faults of a username, phone number or password are found before they are sent', () => {
  for (const text of ['ann', 'An-n_1.x', 'an', '', 'änn', 'a b c', LONG, 'x'.repeat(64)]) {
    assert.equal(findUsernameFault(text) === undefined, rules.isUsername(text), text);
  }
  for (const text of ['+49 (170) 123-45', '12345', '1234', '', 'call me', '1'.repeat(21), '+']) {
    assert.equal(
      findPhoneNumberFault(text) === undefined,
      accepts(() => rules.toPhoneNumber(text)),
      text,
    );
  }
  for (const text of ['Ann', ' Ann ', '', '  ', '日本', '🙂'.repeat(64), '🙂'.repeat(65)]) {
    assert.equal(
      findDisplayNameFault(text) === undefined,
      accepts(() => rules.toDisplayName(text)),
      text,
    );
  }
  for (const text of ['', 'x'.repeat(280), 'x'.repeat(281), 'a\nb']) {
    assert.equal(
      findBioFault(text) === undefined,
      accepts(() => rules.toBio(text)),
      text,
    );
  }
  for (const text of ['Ann-Ann-Ann', 'ann-ANN-ann', 'short', '🙂'.repeat(7), '🙂'.repeat(8), LONG]) {
    const isGood = rules.findPasswordFault(text, 'ann-ann-ann', new Set()) === undefined;
    assert.equal(findPasswordFault(text, 'ann-ann-ann') === undefined, isGood, text);
  }
});

test('an email address that the service accepts has no fault', () => {
  const addresses = [
    'ann@example.org',
    ' a+b@x.example.org ',
    'ä@ö.example',
    'ann@example',
    'ann',
    '@a.b',
    'a@b..c',
  ];
  for (const text of addresses) {
    if (accepts(() => rules.toEmail(text))) assert.equal(findEmailFault(text), undefined, text);
    else assert.equal(findEmailFault(text), 'faultEmail', text);
  }
});

test('every fault of a registration is shown at its field', () => {
  const empty = {
    username: '',
    email: '',
    phoneNumber: '',
    password: '',
    inviteCode: '',
  };
  assert.deepEqual(findRegistrationFaults(empty), {
    username: 'faultMissing',
    email: 'faultMissing',
    phoneNumber: 'faultMissing',
    password: 'faultMissing',
    inviteCode: 'faultInviteCode',
  });
  const good = {
    username: 'ann',
    email: 'ann@example.org',
    phoneNumber: '12345',
    password: 'a good long one',
    inviteCode: 'x',
  };
  assert.deepEqual(findRegistrationFaults(good), {});
});
