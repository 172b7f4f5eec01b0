// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OnlineStorageBudget } from './online-storage-budget.ts';

const MIB = 1024 ** 2;
const MINUTE = 60_000;

const nothing = async () => {};

function open(rateLimits = true) {
  const time = { now: 0 };
  const clock = { now: () => time.now };
  const budget = new OnlineStorageBudget({ clock, onlineTransferTtlMs: 15 * MINUTE, rateLimits });
  const charge = (payer: string | number, mebibytes: number, work = nothing) =>
    budget.charge(
      typeof payer === 'string' ? { address: payer } : { accountId: payer },
      { rows: 0, textBytes: mebibytes * MIB },
      work,
    );
  return { time, budget, charge };
}

test('an address, or a /64, may store 64 MiB in 15 minutes', async () => {
  const { time, charge } = open();
  await charge('192.0.2.1', 60);
  await charge('2001:db8::1', 60);
  await assert.rejects(charge('192.0.2.1', 5), { kind: 'too-many', retryAfterSeconds: 900 });
  await assert.rejects(charge('2001:db8::2', 5), { kind: 'too-many' });
  await charge('192.0.2.1', 4);
  await charge('2001:db8:0:1::1', 60);
  time.now += 15 * MINUTE;
  await charge('192.0.2.1', 60);
});

test('all addresses together may store 1 GiB', async () => {
  const { charge } = open();
  for (let number = 0; number < 32; number += 1) await charge(`192.0.2.${number}`, 32);
  await assert.rejects(charge('192.0.2.99', 1), { kind: 'too-many' });
});

test('rows without text are also charged', async () => {
  const { budget } = open();
  const charge = () => budget.charge({ address: '192.0.2.1' }, { rows: 100_000, textBytes: 0 }, nothing);
  await charge();
  await assert.rejects(charge(), { kind: 'too-many' });
});

test('pending work is charged, and refunded when it fails', async () => {
  const { time, charge } = open();
  const failing = Promise.withResolvers<void>();
  const underWay = charge('192.0.2.1', 60, () => failing.promise);
  await assert.rejects(charge('192.0.2.1', 60), { kind: 'too-many' });
  failing.reject(new Error('full'));
  await assert.rejects(underWay, /full/);
  await charge('192.0.2.1', 60);

  const late = Promise.withResolvers<void>();
  const ofEarlierWindow = charge('192.0.2.1', 4, () => late.promise);
  time.now += 15 * MINUTE;
  await charge('192.0.2.1', 60);
  late.reject(new Error('full'));
  await assert.rejects(ofEarlierWindow, /full/);
  await assert.rejects(charge('192.0.2.1', 5), { kind: 'too-many' });
});

test('an account has its own budget, which others cannot use up', async () => {
  const { charge } = open();
  for (let number = 0; number < 16; number += 1) await charge(`192.0.2.${number}`, 64);
  await charge(1, 60);
  await assert.rejects(charge(1, 5), { kind: 'too-many', retryAfterSeconds: 900 });
  await charge(2, 60);
});

test('no one is limited when limits are off', async () => {
  await open(false).charge('192.0.2.1', 1_000);
  await open(false).charge(1, 1_000);
});
