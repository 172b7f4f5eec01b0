// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExpectedTree } from '../files/expected-tree.ts';
import { compareListing } from './compare-listing.ts';

function record(path: string, size: number, directory: boolean) {
  return [path, { id: 1, filename: path, path: `/${path}`, size, directory }] as const;
}

test('a listing that is as expected has no difference', () => {
  const expected = new ExpectedTree();
  expected.addFile('a/one.txt', { sha256: '', size: 3 });
  const records = new Map([record('a', 0, true), record('a/one.txt', 3, false)]);
  assert.deepEqual(compareListing({ records, faults: [] }, expected), []);
});

test('missing and extra entries, other sizes and other kinds are reported', () => {
  const expected = new ExpectedTree();
  for (const name of ['missing', 'shorter', 'kind']) expected.addFile(name, { sha256: '', size: 3 });
  expected.addDirectory('empty');
  const records = new Map([
    record('shorter', 2, false),
    record('kind', 0, true),
    record('empty', 0, false),
    record('much', 1, false),
  ]);
  assert.deepEqual(compareListing({ records, faults: ['a fault'] }, expected), [
    'a fault',
    'missing is missing',
    'shorter has 2 bytes instead of 3',
    'kind is a directory and should be a file',
    'empty is a file and should be a directory',
    'much should not be there',
  ]);
});
