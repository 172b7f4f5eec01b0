import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnonymousBytes } from './anonymous-bytes.ts';

const MIB = 1024 ** 2;
const MINUTE = 60_000;

function open(rateLimits = true) {
  const hands = { now: 0 };
  const bytes = new AnonymousBytes({
    clock: { now: () => hands.now },
    onlineTransferTtlMs: 15 * MINUTE,
    rateLimits,
  });
  return {
    hands,
    take: (address: string | undefined, mebibytes: number) =>
      bytes.take(address, { rows: 0, textBytes: mebibytes * MIB }),
  };
}

test('an address, or a /64, has 64 MiB in 15 minutes', () => {
  const { hands, take } = open();
  take('192.0.2.1', 60);
  take('2001:db8::1', 60);
  assert.throws(() => take('192.0.2.1', 5), { kind: 'too-many', retryAfterSeconds: 900 });
  assert.throws(() => take('2001:db8::2', 5), { kind: 'too-many' });
  take('192.0.2.1', 4);
  take('2001:db8:0:1::1', 60);
  hands.now += 15 * MINUTE;
  take('192.0.2.1', 60);
});

test('all addresses together have 1 GiB', () => {
  const { take } = open();
  for (let number = 0; number < 32; number += 1) take(`192.0.2.${number}`, 32);
  assert.throws(() => take('192.0.2.99', 1), { kind: 'too-many' });
});

test('rows without text count too', () => {
  const { hands } = open();
  const bytes = new AnonymousBytes({
    clock: { now: () => hands.now },
    onlineTransferTtlMs: MINUTE,
    rateLimits: true,
  });
  bytes.take('192.0.2.1', { rows: 100_000, textBytes: 0 });
  assert.throws(() => bytes.take('192.0.2.1', { rows: 100_000, textBytes: 0 }), { kind: 'too-many' });
});

test('a login is not limited, and nobody is where limits are off', () => {
  const { take } = open();
  take(undefined, 1_000);
  take(undefined, 1_000);
  open(false).take('192.0.2.1', 1_000);
});
