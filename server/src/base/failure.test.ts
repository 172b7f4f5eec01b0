// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, isDefiniteFailure } from './failure.ts';

test('a failure is an error with a kind and a message for people', () => {
  const failure = new Failure('not-found', 'There is no such file.');
  assert.ok(failure instanceof Error);
  assert.equal(failure.kind, 'not-found');
  assert.equal(String(failure), 'Failure: There is no such file.');
  assert.match(failure.stack ?? '', /failure\.test\.ts/);
  assert.equal(failure.retryAfterSeconds, undefined);
});

test('a failure has the cause that it was given, or none', () => {
  const cause = new Error('ENOENT');
  assert.equal(new Failure('not-found', 'Gone.', { cause }).cause, cause);
  assert.equal('cause' in new Failure('not-found', 'Gone.'), false);
});

test('the cause is only for the log: it is not part of what is sent', () => {
  const failure = new Failure('unavailable', 'Try later.', {
    cause: new Error('secret'),
    retryAfterSeconds: 5,
  });
  assert.equal(failure.retryAfterSeconds, 5);
  assert.doesNotMatch(JSON.stringify({ ...failure, message: failure.message }), /secret/);
});

test('only a failure of a kind other than unavailable proves that nothing was committed', () => {
  assert.equal(isDefiniteFailure(new Failure('conflict', 'Taken.')), true);
  assert.equal(isDefiniteFailure(new Failure('unavailable', 'Try later.')), false);
  assert.equal(isDefiniteFailure(new Error('the connection broke')), false);
  assert.equal(isDefiniteFailure(undefined), false);
});
