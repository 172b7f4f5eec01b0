import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnonymousStorageBudget } from './anonymous-storage-budget.ts';

const MIB = 1024 ** 2;
const MINUTE = 60_000;

const nothing = async () => {};

function open(rateLimits = true) {
  const hands = { now: 0 };
  const clock = { now: () => hands.now };
  const bytes = new AnonymousStorageBudget({ clock, onlineTransferTtlMs: 15 * MINUTE, rateLimits });
  const keep = (address: string | undefined, mebibytes: number, work = nothing) =>
    bytes.charge(address, { rows: 0, textBytes: mebibytes * MIB }, work);
  return { hands, bytes, keep };
}

test('an address, or a /64, has 64 MiB in 15 minutes', async () => {
  const { hands, keep } = open();
  await keep('192.0.2.1', 60);
  await keep('2001:db8::1', 60);
  await assert.rejects(keep('192.0.2.1', 5), { kind: 'too-many', retryAfterSeconds: 900 });
  await assert.rejects(keep('2001:db8::2', 5), { kind: 'too-many' });
  await keep('192.0.2.1', 4);
  await keep('2001:db8:0:1::1', 60);
  hands.now += 15 * MINUTE;
  await keep('192.0.2.1', 60);
});

test('all addresses together have 1 GiB', async () => {
  const { keep } = open();
  for (let number = 0; number < 32; number += 1) await keep(`192.0.2.${number}`, 32);
  await assert.rejects(keep('192.0.2.99', 1), { kind: 'too-many' });
});

test('rows without text count too', async () => {
  const { bytes } = open();
  const keep = () => bytes.charge('192.0.2.1', { rows: 100_000, textBytes: 0 }, nothing);
  await keep();
  await assert.rejects(keep(), { kind: 'too-many' });
});

test('what is under way counts, and no longer when it fails', async () => {
  const { hands, keep } = open();
  const failing = Promise.withResolvers<void>();
  const underWay = keep('192.0.2.1', 60, () => failing.promise);
  await assert.rejects(keep('192.0.2.1', 60), { kind: 'too-many' });
  failing.reject(new Error('full'));
  await assert.rejects(underWay, /full/);
  await keep('192.0.2.1', 60);

  const late = Promise.withResolvers<void>();
  const ofBefore = keep('192.0.2.1', 4, () => late.promise);
  hands.now += 15 * MINUTE;
  await keep('192.0.2.1', 60);
  late.reject(new Error('full'));
  await assert.rejects(ofBefore, /full/);
  await assert.rejects(keep('192.0.2.1', 5), { kind: 'too-many' });
});

test('a login is not limited, and nobody is where limits are off', async () => {
  const { keep } = open();
  await keep(undefined, 1_000);
  await keep(undefined, 1_000);
  await open(false).keep('192.0.2.1', 1_000);
});
