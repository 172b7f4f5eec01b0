// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchJobs } from './batches.ts';
import type { Need, TestJob } from './plan.ts';

const job = (file: string, engine?: TestJob['engine'], needs: Need[] = []): TestJob => ({
  file,
  engine,
  needs,
});

function batch(jobs: readonly TestJob[], seconds: Readonly<Record<string, number>> = {}, version = '24.1.0') {
  const batches = batchJobs(jobs, ({ file }) => seconds[file] ?? 1, version);
  return batches.map((one) => one.map(({ file }) => file));
}

test('short files with the same engine and needs share a process', () => {
  const jobs = [job('a', 'sqlite'), job('b', 'postgres'), job('c', 'sqlite'), job('d', 'sqlite', ['nginx'])];
  assert.deepEqual(batch(jobs), [['a', 'c'], ['b'], ['d']]);
});

test('long files, and files that need it, get their own process', () => {
  const jobs = [job('short'), job('long'), job('own', undefined, ['process']), job('other')];
  assert.deepEqual(batch(jobs, { long: 41 }), [['long'], ['short', 'other'], ['own']]);
});

/** So much other work that batches get their full length. */
const OTHER_WORK = Array.from({ length: 1_000 }, (_, place) => job(`other ${place}`, 'sqlite'));

test('a batch takes at most eighty seconds', () => {
  const jobs = Array.from({ length: 7 }, (_, place) => job(`${place}`));
  const seconds = Object.fromEntries([
    ...jobs.map(({ file }) => [file, 25]),
    ...OTHER_WORK.map(({ file }) => [file, 20]),
  ]);
  const batches = batch([...jobs, ...OTHER_WORK], seconds);
  assert.deepEqual(batches.slice(0, 3), [['0', '1', '2'], ['3', '4', '5'], ['6']]);
});

test('the longest files are in the first batches, and the last batches are short', () => {
  const jobs = Array.from({ length: 400 }, (_, place) => job(`${place}`));
  const seconds = Object.fromEntries(jobs.map(({ file }, place) => [file, 1 + place / 100]));
  const batches = batch(jobs, seconds);
  assert.equal(batches[0]?.[0], '399');
  const sums = batches.map((files) => files.reduce((sum, file) => sum + (seconds[file] ?? 0), 0));
  const [first = 0, last = 0] = [sums[0], sums.at(-1)];
  assert.ok(last <= 15 && first > last, `${sums}`);
  assert.deepEqual(batches.flat().toSorted(), jobs.map(({ file }) => file).toSorted());
});

test('before Node 24 each file gets its own process', () => {
  assert.deepEqual(batch([job('a'), job('b')], {}, '22.18.0'), [['a'], ['b']]);
});
