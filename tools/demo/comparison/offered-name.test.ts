// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOfferedName } from './offered-name.ts';

test('the extended name takes precedence over the plain one', () => {
  const header = `attachment; filename="gr?n.txt"; filename*=UTF-8''gr%C3%BCn%20%2741%27.txt`;
  assert.equal(readOfferedName(header), "grün '41'.txt");
});

test('a plain name is read with and without quotes', () => {
  assert.equal(readOfferedName('attachment; filename="a \\"b\\".txt"'), 'a "b".txt');
  assert.equal(readOfferedName('attachment; filename=plain.txt'), 'plain.txt');
  assert.equal(readOfferedName('attachment'), undefined);
});
