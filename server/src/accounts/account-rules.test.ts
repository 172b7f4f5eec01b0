// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../test/support/text/any-character.ts';
import { Failure } from '../base/failure.ts';
import {
  checkPassword,
  toBio,
  toDisplayName,
  toEmail,
  toLanguage,
  toPhoneNumber,
  toUsername,
} from './account-rules.ts';

function assertInvalid(rule: (text: string) => unknown, texts: readonly string[]): void {
  for (const text of texts) {
    assert.throws(
      () => rule(text),
      (error) => error instanceof Failure && error.kind === 'invalid',
      JSON.stringify(text),
    );
  }
}

test('a username has 3 to 64 letters, digits or the signs . _ -', () => {
  for (const name of ['abc', 'A.b_c-9', 'x'.repeat(64), '...']) assert.equal(toUsername(name), name);
  assertInvalid(toUsername, [
    '',
    'ab',
    'x'.repeat(65),
    'a b c',
    'abc\n',
    'abc\0',
    'añb',
    'a/b',
    'a@b',
    ' abc',
  ]);
});

test('an e-mail address has a name, an @ and a domain, and at most 128 characters', () => {
  for (const email of ['a@b.de', "o'neil+x@sub.example.org", 'jörg@müller.example', 'a.b@1.2.3.example']) {
    assert.equal(toEmail(email), email);
  }
  assert.equal(toEmail('  Me@Example.org '), 'Me@Example.org');
  assert.equal(toEmail(`${'a'.repeat(64)}@${'b'.repeat(59)}.de`.slice(-128)).length, 127);
  assertInvalid(toEmail, [
    ...['', 'me', 'me@', '@example.org', 'me@gmail', 'a b@c.de', 'a@b@c.de', 'a@b..de', 'a@-b.de', 'a@b-.de'],
    ...[
      'a@b.de\0',
      'a\u0001@b.de',
      `${'a'.repeat(65)}@b.de`,
      `a@${'b.'.repeat(70)}de`,
      'a@b.d_e',
      '<a@b.de>',
    ],
  ]);
});

test('a phone number has 5 to 20 digits, not counting separators', () => {
  assert.equal(toPhoneNumber('+49 (0)30 / 1234'.replace('/', '-')), '+490301234');
  assert.equal(toPhoneNumber('030.12-34[5]'), '03012345');
  assert.equal(toPhoneNumber('12345'), '12345');
  // Contact apps on phones copy numbers with invisible marks of the text direction.
  assert.equal(toPhoneNumber('\u202a+49\u00a030\u22121234\u202c'), '+49301234');
  assert.equal(toPhoneNumber(`+${'9'.repeat(20)}`), `+${'9'.repeat(20)}`);
  assertInvalid(toPhoneNumber, [
    '',
    '+',
    '1234',
    '9'.repeat(21),
    '12345a',
    '1+2345',
    '++12345',
    '12345\0',
    '１２３４５',
  ]);
});

test('separators between the digits do not change a phone number', () => {
  const digits = fc.stringMatching(/^\d{5,20}$/);
  const filler = fc.constantFrom('', ' ', '.', '-', '(', ')', '[', ']', '\u00a0', '\u2013');
  fc.assert(
    fc.property(digits, fc.array(filler, { minLength: 20, maxLength: 20 }), (number, fillers) => {
      const written = Array.from(number, (digit, index) => digit + fillers[index]).join('');
      assert.equal(toPhoneNumber(written), number);
    }),
  );
});

test('a display name has 1 to 64 characters', () => {
  assert.equal(toDisplayName('  Zoë 🦉 '), 'Zoë 🦉');
  assert.equal(toDisplayName('🦉'.repeat(64)), '🦉'.repeat(64));
  assertInvalid(toDisplayName, ['', '   ', 'x'.repeat(65), 'a\nb', 'a\0b', '\ud800']);
});

test('a bio has at most 280 characters and may have line breaks; a blank bio is null', () => {
  assert.equal(toBio('one\r\ntwo\t!'), 'one\ntwo\t!');
  assert.equal(toBio('x'.repeat(280)), 'x'.repeat(280));
  assert.equal(toBio(' \n '), null);
  assertInvalid(toBio, ['x'.repeat(281), 'a\0b', 'a\u001bb', '\udc00']);
});

test('a language is stored as a canonical BCP 47 tag', () => {
  assert.equal(toLanguage('en-us'), 'en-US');
  assert.equal(toLanguage('ZH-hant-tw'), 'zh-Hant-TW');
  assert.equal(toLanguage('de'), 'de');
  assert.equal(toLanguage(''), null);
  assertInvalid(toLanguage, [
    'english!',
    'de_DE',
    'e',
    'en-',
    'x'.repeat(9),
    '-de',
    `de${'-aaaaa'.repeat(20)}`,
  ]);
});

test('a password has 8 to 128 characters, and is neither the username nor a common password', () => {
  const common = new Set(['sunshine1']);
  const rule = (password: string) => checkPassword(password, 'Somebody', common);
  for (const password of ['12ab!?äö', 'x'.repeat(128), '🦉🦉🦉🦉🦉🦉🦉🦉', 'only words here', 'Somebody1'])
    rule(password);
  assertInvalid(rule, [
    '',
    '1234567',
    '🦉🦉🦉🦉',
    'x'.repeat(129),
    'somebody',
    'SOMEBODY',
    'sunshine1',
    'SunShine1',
  ]);
});

test('for any text, a rule either returns a value or throws a Failure', () => {
  const rules = [toUsername, toEmail, toPhoneNumber, toDisplayName, toBio, toLanguage];
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.constantFrom(...rules),
      (text, rule) => {
        try {
          const value = rule(text);
          assert.doesNotMatch(value ?? '', /\0/);
        } catch (error) {
          assert(error instanceof Failure, String(error));
        }
      },
    ),
  );
});

test('a text of a million combining marks is rejected at once', () => {
  const hostile = `a${'\u0315\u0300'.repeat(500_000)}`;
  const common = new Set<string>();
  // CPU time, because other processes may use the cores. Normalising this text takes minutes.
  const before = process.cpuUsage();
  for (const text of [hostile, `${hostile}@example.org`, '1'.repeat(1_000_000)]) {
    for (const rule of [toUsername, toEmail, toPhoneNumber, toDisplayName, toBio, toLanguage]) {
      assertInvalid(rule, [text]);
    }
    assertInvalid((password) => checkPassword(password, 'Somebody', common), [text]);
  }
  assert.ok(process.cpuUsage(before).user < 1_000_000);
});
