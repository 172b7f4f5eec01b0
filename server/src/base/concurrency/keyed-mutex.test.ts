import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Turns } from './keyed-mutex.ts';

test('those who want the same thing have it one after the other, in the order in which they came', async () => {
  const turns = new Turns<string>();
  const seen: string[] = [];
  const use = async (name: string) => {
    const giveOn = await turns.take('a');
    seen.push(`${name} begins`);
    await nextRound();
    seen.push(`${name} ends`);
    giveOn();
  };
  await Promise.all(['1', '2', '3'].map(use));
  assert.deepEqual(seen, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends']);
});

test('who wants another thing does not wait', async () => {
  const turns = new Turns<number>();
  await turns.take(1);
  const giveOn = await turns.take(2);
  giveOn();
});

test('a turn that is given on twice is given on once', async () => {
  const turns = new Turns<string>();
  const first = await turns.take('a');
  const second = turns.take('a');
  let isThird = false;
  const third = turns.take('a').then((giveOn) => {
    isThird = true;
    giveOn();
  });
  first();
  const giveOn = await second;
  first();
  await nextRound();
  assert.equal(isThird, false);
  giveOn();
  await third;
});

test('what nobody has or waits for is forgotten', async () => {
  const turns = new Turns<number>();
  const given = await Promise.all([1, 2, 3].map((key) => turns.take(key)));
  const waiting = turns.take(1);
  assert.equal(turns.size, 3);
  for (const giveOn of given) giveOn();
  assert.equal(turns.size, 1);
  (await waiting)();
  assert.equal(turns.size, 0);
});
