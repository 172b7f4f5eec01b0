// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatementResult } from '../../src/database/sqlite/session.ts';
import { TurnLimitedSession } from '../../src/database/sqlite/turn-limited-session.ts';

const RESULT: StatementResult = { rows: [], changes: 0 };

/** Opens a session that records its statements, each with the turn of the event loop in which it ran. */
function openRecorded(maxMs: number) {
  let turn = 0;
  let timer = setImmediate(function count() {
    turn += 1;
    timer = setImmediate(count);
  });
  const recorded: { readonly sql: string; readonly turn: number }[] = [];
  const execute = (sql: string) => {
    recorded.push({ sql, turn });
    return RESULT;
  };
  const nothing = () => {};
  const inner = { execute, begin: nothing, commit: nothing, rollback: nothing, close: nothing };
  return { session: new TurnLimitedSession(inner, maxMs), recorded, stop: () => clearImmediate(timer) };
}

test('short statements run in one turn', async () => {
  const { session, recorded, stop } = openRecorded(60_000);
  for (let number = 0; number < 100; number += 1) await session.execute(String(number), []);
  stop();
  assert.deepEqual([...new Set(recorded.map(({ turn }) => turn))], [0]);
});

test('once the time of a turn is used up, each statement waits for the next turn, in order', async () => {
  const { session, recorded, stop } = openRecorded(0);
  await Promise.all(['a', 'b', 'c', 'd'].map((sql) => session.execute(sql, [])));
  stop();
  assert.deepEqual(
    recorded.map(({ sql }) => sql),
    ['a', 'b', 'c', 'd'],
  );
  const turns = recorded.map(({ turn }) => turn);
  assert.equal(new Set(turns).size, 4, turns.join());
});
