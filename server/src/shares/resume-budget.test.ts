// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResumeBudgets } from './resume-budget.ts';

const MIB = 1_024 ** 2;

test('a cookie can fetch its file twice and a little more, then nothing', () => {
  const budgets = new ResumeBudgets();
  assert.ok(budgets.spend('a', MIB, MIB));
  assert.ok(budgets.spend('a', MIB, MIB));
  assert.equal(budgets.spend('a', MIB, MIB), undefined);
  assert.ok(budgets.spend('a', MIB, 10_000));
  assert.ok(budgets.spend('b', MIB, MIB), 'another cookie');
});

test('unsent bytes are refunded', () => {
  const budgets = new ResumeBudgets();
  for (let request = 0; request < 14; request += 1) budgets.spend('a', MIB, MIB)?.(MIB);
  assert.ok(budgets.spend('a', MIB, MIB));
});

test('even the smallest file cannot be requested endlessly', () => {
  const budgets = new ResumeBudgets();
  let count = 0;
  while (budgets.spend('a', 2, 1) !== undefined) count += 1;
  assert.equal(count, 15);
});

test('only the newest 20,000 cookies are remembered', () => {
  const budgets = new ResumeBudgets();
  for (const cookie of ['old', 'old']) budgets.spend(cookie, MIB, MIB);
  for (let cookie = 0; cookie < 19_999; cookie += 1) budgets.spend(`${cookie}`, MIB, 2 * MIB);
  assert.equal(budgets.spend('old', MIB, MIB), undefined);
  budgets.spend('one more', MIB, MIB);
  assert.ok(budgets.spend('old', MIB, MIB));
});
