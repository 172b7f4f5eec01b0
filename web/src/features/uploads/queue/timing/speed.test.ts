// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Speed } from './speed.ts';

test('the speed is measured over the last seconds', () => {
  const speed = new Speed();
  assert.equal(speed.at(0), undefined);
  speed.add(0, 0);
  for (let second = 1; second <= 10; second += 1) speed.add(1_000, second * 1_000);
  assert.equal(speed.at(10_000), 1_000);
  for (let second = 11; second <= 30; second += 1) speed.add(5_000, second * 1_000);
  assert.equal(speed.at(30_000), 5_000);
});

test('without progress the speed falls to zero', () => {
  const speed = new Speed();
  speed.add(0, 0);
  speed.add(1_000, 1_000);
  assert.ok((speed.at(20_000) ?? 0) <= 50);
  speed.reset();
  assert.equal(speed.at(20_000), undefined);
});
