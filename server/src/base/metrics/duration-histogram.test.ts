// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurationHistogram } from './duration-histogram.ts';

const newHistogram = () => new DurationHistogram('waits_seconds', 'How long they wait.', ['queue', 'result']);

test('a bucket counts the durations up to its limit', () => {
  const histogram = newHistogram();
  for (const seconds of [0.0005, 0.001, 0.02, 5, 61]) histogram.observe(seconds, 'a', 'ok');
  const labels = 'queue="a",result="ok"';
  assert.deepEqual(linesOf(histogram), [
    `waits_seconds_bucket{le="0.001",${labels}} 2`,
    `waits_seconds_bucket{le="0.005",${labels}} 2`,
    `waits_seconds_bucket{le="0.025",${labels}} 3`,
    `waits_seconds_bucket{le="0.1",${labels}} 3`,
    `waits_seconds_bucket{le="0.5",${labels}} 3`,
    `waits_seconds_bucket{le="2.5",${labels}} 3`,
    `waits_seconds_bucket{le="10",${labels}} 4`,
    `waits_seconds_bucket{le="60",${labels}} 4`,
    `waits_seconds_bucket{le="+Inf",${labels}} 5`,
    `waits_seconds_sum{${labels}} 66.0215`,
    `waits_seconds_count{${labels}} 5`,
  ]);
});

test('durations are counted separately for each combination of labels', () => {
  const histogram = newHistogram();
  for (const [queue, result] of [
    ['a', 'ok'],
    ['a', 'ok'],
    ['b', 'ok'],
    ['a', 'failed'],
  ] as const) {
    histogram.observe(1, queue, result);
  }
  assert.deepEqual(
    linesOf(histogram).filter((line) => line.includes('_count')),
    [
      'waits_seconds_count{queue="a",result="ok"} 2',
      'waits_seconds_count{queue="b",result="ok"} 1',
      'waits_seconds_count{queue="a",result="failed"} 1',
    ],
  );
});

test('the text has the name, the type and a final line break even before the first duration', () => {
  assert.match(newHistogram().toText(), /^# HELP waits_seconds .+\n# TYPE waits_seconds histogram\n$/);
});

function linesOf(histogram: DurationHistogram): readonly string[] {
  return histogram.toText().trimEnd().split('\n').slice(2);
}
