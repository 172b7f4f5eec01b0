import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, isRefusal } from './failure.ts';

test('a failure is an error with a kind and a message for a person', () => {
  const failure = new Failure('not-found', 'There is no such file.');
  assert.ok(failure instanceof Error);
  assert.equal(failure.kind, 'not-found');
  assert.equal(String(failure), 'Failure: There is no such file.');
  assert.match(failure.stack ?? '', /failure\.test\.ts/);
  assert.equal(failure.retryAfterSeconds, undefined);
});

test('what caused it is kept, and a failure without a cause has none', () => {
  const cause = new Error('ENOENT');
  assert.equal(new Failure('not-found', 'Gone.', { cause }).cause, cause);
  assert.equal('cause' in new Failure('not-found', 'Gone.'), false);
});

test('a cause is for the log: what a person sees does not hold it', () => {
  const failure = new Failure('unavailable', 'Try later.', {
    cause: new Error('secret'),
    retryAfterSeconds: 5,
  });
  assert.equal(failure.retryAfterSeconds, 5);
  assert.doesNotMatch(JSON.stringify({ ...failure, message: failure.message }), /secret/);
});

test('only a refusal says for sure that nothing was committed', () => {
  assert.equal(isRefusal(new Failure('conflict', 'Taken.')), true);
  assert.equal(isRefusal(new Failure('unavailable', 'Try later.')), false);
  assert.equal(isRefusal(new Error('the connection broke')), false);
  assert.equal(isRefusal(undefined), false);
});
