// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemIds } from './ids.ts';
import { SecretBox } from './secret-box.ts';

const SECRET = Buffer.from('12345678901234567890');
const OWNER = 'account 7';
const box = new SecretBox('the secret of the service, long enough', 'tests', systemIds);

test('a sealed secret opens in its context only, and does not contain the secret', () => {
  const sealed = box.seal(SECRET, OWNER);
  assert.deepEqual(box.open(sealed, OWNER), SECRET);
  assert.equal(box.open(sealed, 'account 8'), undefined);
  assert(!Buffer.from(sealed, 'base64url').includes(SECRET));
  assert.notEqual(box.seal(SECRET, OWNER), sealed, 'the nonce is new each time');
});

test('a sealed secret does not open if a byte is changed, or with another service secret', () => {
  const sealed = box.seal(SECRET, OWNER);
  const bytes = Buffer.from(sealed, 'base64url');
  for (let position = 0; position < bytes.length; position += 1) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    assert.equal(box.open(changed.toString('base64url'), OWNER), undefined, String(position));
  }
  assert.equal(
    new SecretBox('another secret of the service', 'tests', systemIds).open(sealed, OWNER),
    undefined,
  );
  const otherPurpose = new SecretBox('the secret of the service, long enough', 'other tests', systemIds);
  assert.equal(otherPurpose.open(sealed, OWNER), undefined);
  for (const bad of ['', 'AAAA', sealed.slice(0, 30)]) assert.equal(box.open(bad, OWNER), undefined);
});
