// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatementResult } from '../../src/database/sqlite/session.ts';
import { TurnLimitedSession } from '../../src/database/sqlite/turn-limited-session.ts';

const RESULT: StatementResult = { rows: [], changes: 0 };

/** A connection whose statements are noted with the turn of the event loop in which they ran. */
function openNoting(maxMs: number) {
  let turn = 0;
  let timer = setImmediate(function count() {
    turn += 1;
    timer = setImmediate(count);
  });
  const noted: { readonly sql: string; readonly turn: number }[] = [];
  const execute = (sql: string) => {
    noted.push({ sql, turn });
    return RESULT;
  };
  const nothing = () => {};
  const inner = { execute, begin: nothing, commit: nothing, rollback: nothing, close: nothing };
  return { session: new TurnLimitedSession(inner, maxMs), noted, stop: () => clearImmediate(timer) };
}

test('short statements run in one turn', async () => {
  const { session, noted, stop } = openNoting(60_000);
  for (let number = 0; number < 100; number += 1) await session.execute(String(number), []);
  stop();
  assert.deepEqual([...new Set(noted.map(({ turn }) => turn))], [0]);
});

test('when the time of a turn is used up, each further statement waits for the next turn, in order', async () => {
  const { session, noted, stop } = openNoting(0);
  await Promise.all(['a', 'b', 'c', 'd'].map((sql) => session.execute(sql, [])));
  stop();
  assert.deepEqual(
    noted.map(({ sql }) => sql),
    ['a', 'b', 'c', 'd'],
  );
  const turns = noted.map(({ turn }) => turn);
  assert.equal(new Set(turns).size, 4, turns.join());
});
