// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Speedometer } from './speedometer.ts';

test('the speed is measured over the last seconds', () => {
  const meter = new Speedometer();
  for (let second = 0; second <= 10; second += 1) meter.addSample(second * 100, second * 1_000);
  for (let second = 11; second <= 20; second += 1)
    meter.addSample(1_000 + (second - 10) * 400, second * 1_000);
  assert.equal(meter.bytesPerSecond(), 400);
});

test('the speed is unknown until there is enough to measure', () => {
  const meter = new Speedometer();
  assert.equal(meter.bytesPerSecond(), undefined);
  meter.addSample(0, 0);
  meter.addSample(1_000_000, 10);
  assert.equal(meter.bytesPerSecond(), undefined);
});

test('sending bytes again does not make the speed negative', () => {
  const meter = new Speedometer();
  meter.addSample(5_000, 0);
  meter.addSample(6_000, 1_000);
  meter.addSample(2_000, 2_000);
  meter.addSample(3_000, 3_000);
  assert.equal(meter.bytesPerSecond(), 1_000);
});
