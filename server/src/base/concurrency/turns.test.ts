// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

/** Counts the turns of the event loop while `act` runs. */
async function countTurns(act: () => Promise<void>): Promise<number> {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  await act();
  clearImmediate(timer);
  return turns;
}

test('a long loop lets the event loop turn', async () => {
  const count = await countTurns(async () => {
    const turns = new Turns(1);
    for (let taken = 0; taken < 3; ) {
      if (!turns.isOver()) continue;
      taken += 1;
      await turns.next();
    }
  });
  assert.ok(count >= 2, `${count} turns`);
});

test('a short loop takes no turn', async () => {
  const count = await countTurns(async () => {
    const turns = new Turns(60_000);
    for (let step = 0; step < 1_000; step += 1) if (turns.isOver()) await turns.next();
  });
  assert.equal(count, 0);
});
