// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTotpStep, toTotpText, toTotpUri } from './totp.ts';

/** The secret of the test vectors in RFC 6238, appendix B, for SHA-1. */
const SECRET = Buffer.from('12345678901234567890');
const STEP_MS = 30_000;

/** Seconds and codes of RFC 6238, appendix B. The codes there have 8 digits; ours are the last 6 of them. */
const VECTORS: readonly (readonly [number, string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

for (const [seconds, code] of VECTORS) {
  const now = seconds * 1_000;
  const step = Math.floor(seconds / 30);

  test(`the code of RFC 6238 for second ${seconds} is accepted, also one step early or late`, () => {
    assert.equal(findTotpStep(SECRET, code.slice(2), now), step);
    assert.equal(findTotpStep(SECRET, code.slice(2), now - STEP_MS), step);
    assert.equal(findTotpStep(SECRET, code.slice(2), now + STEP_MS), step);
  });

  test(`the code of RFC 6238 for second ${seconds} is rejected two steps early or late, or if changed`, () => {
    for (const other of [now + 2 * STEP_MS, now - 2 * STEP_MS].filter((each) => each >= 0)) {
      assert.equal(findTotpStep(SECRET, code.slice(2), other), undefined);
    }
    const changed = String((Number(code.slice(2)) + 1) % 1_000_000).padStart(6, '0');
    assert.equal(findTotpStep(SECRET, changed, now), undefined);
  });
}

test('only six digits are a code', () => {
  for (const text of ['', '28708', '2870822', '94287082', ' 287082', '28708a', '２８７０８２']) {
    assert.equal(findTotpStep(SECRET, text, 59_000), undefined, text);
  }
});

test('the address for authenticator apps names the service, the account and the secret', () => {
  assert.equal(toTotpText(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = new URL(toTotpUri(SECRET, 'ann.b_c-d'));
  assert.equal(
    `${url.protocol}//${url.host}${decodeURIComponent(url.pathname)}`,
    'otpauth://totp/Holdall:ann.b_c-d',
  );
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: 'Holdall',
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
