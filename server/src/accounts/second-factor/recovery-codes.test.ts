// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemIds } from '../../base/ids.ts';
import { newRecoveryCode, toRecoveryCode } from './recovery-codes.ts';

test('a recovery code has 80 random bits, written in groups of four', () => {
  const ids = { ...systemIds, token: (bits: number) => Buffer.alloc(bits / 8, 0xf0).toString('base64url') };
  assert.equal(newRecoveryCode(ids), 'Y3RF-1W7G-Y3RF-1W7G');
  const codes = Array.from({ length: 1_000 }, () => newRecoveryCode(systemIds));
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) {
    assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    assert.equal(toRecoveryCode(code), code.replaceAll('-', ''));
  }
});

test('a recovery code may be typed in any case, with or without dashes, and with letters for digits', () => {
  for (const typed of ['01AB-CDEF-GHJK-MNPQ', ' oIab cdef ghjk mnpq ', 'Olabcdefghjkmnpq']) {
    assert.equal(toRecoveryCode(typed), '01ABCDEFGHJKMNPQ', typed);
  }
  for (const wrong of ['', '123456', '01AB-CDEF-GHJK-MNP', '01AB-CDEF-GHJK-MNPQR', '01AB-CDEF-GHJK-MNPU']) {
    assert.equal(toRecoveryCode(wrong), undefined, wrong);
  }
});
