// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestLimit } from './request-limit.ts';
import { SMALL_BYTES } from './send-file.ts';

test('a request may carry one second of bandwidth, but at least 1 and at most 16 MiB', () => {
  const limit = new RequestLimit();
  assert.equal(limit.maxBytes(undefined), SMALL_BYTES);
  assert.equal(limit.maxBytes(100_000), SMALL_BYTES);
  assert.equal(limit.maxBytes(5_000_000), 5_000_000);
  assert.equal(limit.maxBytes(900_000_000), 16 * 1024 ** 2);
});

test('if browsers send to the store directly, only small files are sent through the service', () => {
  const limit = new RequestLimit();
  limit.noteMode('DIRECT_SINGLE');
  assert.equal(limit.maxBytes(900_000_000), SMALL_BYTES);
  limit.noteMode('PROXY');
  assert.equal(limit.maxBytes(5_000_000), 5_000_000);
});
