// tier: default
import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { Failure } from '../../base/failure.ts';
import { addressKeyOf } from '../../base/network/address-key.ts';
import { RequestConcurrency } from './request-concurrency.ts';

function newResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

/** Begins a request and returns a function that ends it. */
function begin(limiter: RequestConcurrency, address: string, hasLogin = true): () => void {
  const response = newResponse();
  const key = addressKeyOf(address);
  limiter.begin(key, response);
  if (!hasLogin) limiter.beginAnonymous(key, response);
  return () => response.emit('close');
}

const isTooMany = (error: unknown) => error instanceof Failure && error.kind === 'too-many';

test('an address may have ten requests at once, and another once one has ended', () => {
  const limiter = new RequestConcurrency(10);
  const ends = Array.from({ length: 10 }, () => begin(limiter, '203.0.113.7'));
  assert.throws(() => begin(limiter, '203.0.113.7'), isTooMany);
  begin(limiter, '203.0.113.8');
  ends[3]?.();
  begin(limiter, '203.0.113.7');
  assert.throws(() => begin(limiter, '203.0.113.7'), isTooMany);
});

test('requests without a login may use a fifth of the limit, others all of it', () => {
  const limiter = new RequestConcurrency(10);
  const end = begin(limiter, '203.0.113.7', false);
  begin(limiter, '203.0.113.7', false);
  assert.throws(() => begin(limiter, '203.0.113.7', false), isTooMany);
  begin(limiter, '203.0.113.7');
  end();
  begin(limiter, '203.0.113.7', false);
});

test('a /64 counts as one address', () => {
  const limiter = new RequestConcurrency(5);
  for (let host = 1; host <= 5; host += 1) begin(limiter, `2001:db8::${host}`);
  assert.throws(() => begin(limiter, '2001:db8::6'), isTooMany);
  begin(limiter, '2001:db8:0:1::1');
});

test('nothing is remembered of an address whose requests have ended', () => {
  const limiter = new RequestConcurrency(10);
  const ends = Array.from({ length: 4 }, (_, index) => begin(limiter, '203.0.113.7', index > 0));
  assert.equal(limiter.size, 1);
  for (const end of ends) end();
  assert.equal(limiter.size, 0);
});

test('without a limit nothing is counted', () => {
  const limiter = new RequestConcurrency(undefined);
  for (let count = 0; count < 2_000; count += 1) begin(limiter, '203.0.113.7', false);
  assert.equal(limiter.size, 0);
});
