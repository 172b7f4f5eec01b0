// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestLimit } from './request-limit.ts';
import { SMALL_BYTES } from './send-file.ts';

test('a request may send what the connection sends in a second, between 1 and 16 MiB', () => {
  const limit = new RequestLimit();
  assert.equal(limit.maxBytes(undefined), SMALL_BYTES);
  assert.equal(limit.maxBytes(100_000), SMALL_BYTES);
  assert.equal(limit.maxBytes(5_000_000), 5_000_000);
  assert.equal(limit.maxBytes(900_000_000), 16 * 1024 ** 2);
});

test('with a store that takes bytes directly, only small files are sent through the service', () => {
  const limit = new RequestLimit();
  limit.noteMode('DIRECT_SINGLE');
  assert.equal(limit.maxBytes(900_000_000), SMALL_BYTES);
  limit.noteMode('PROXY');
  assert.equal(limit.maxBytes(5_000_000), 5_000_000);
});
