// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeJoin } from './merge-join.ts';

test('elements with the same key are paired, the others come alone, in order', async () => {
  const steps: string[] = [];
  for await (const { key, left, right } of mergeJoin(
    sequence('a', 'c', 'd', 'f'),
    sequence('b', 'c', 'f', 'g'),
  )) {
    steps.push(`${key}:${left?.key ?? ''}${right?.key ?? ''}`);
  }
  assert.deepEqual(steps, ['a:a', 'b:b', 'c:cc', 'd:d', 'f:ff', 'g:g']);
});

test('one sequence may be empty, or both', async () => {
  assert.equal(await count(mergeJoin(sequence(), sequence('a', 'b'))), 2);
  assert.equal(await count(mergeJoin(sequence('a', 'b'), sequence())), 2);
  assert.equal(await count(mergeJoin(sequence(), sequence())), 0);
});

test('no element of an unsorted sequence is lost', async () => {
  const seen = new Set<string>();
  for await (const { left, right } of mergeJoin(sequence('a', 'b', 'c'), sequence('c', 'a', 'b'))) {
    if (left) seen.add(`left ${left.key}`);
    if (right) seen.add(`right ${right.key}`);
  }
  assert.equal(seen.size, 6);
});

test('both sequences are closed when the caller stops early', async () => {
  const ended: string[] = [];
  const endless = async function* (name: string) {
    try {
      for (let number = 10; ; number += 1) yield { key: String(number) };
    } finally {
      ended.push(name);
    }
  };
  for await (const _step of mergeJoin(endless('left'), endless('right'))) break;
  assert.deepEqual(ended, ['left', 'right']);
});

async function* sequence(...keys: readonly string[]) {
  for (const key of keys) yield { key };
}

async function count(steps: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const _step of steps) found += 1;
  return found;
}
