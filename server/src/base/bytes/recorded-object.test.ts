import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../failure.ts';
import { expectRecorded } from './recorded-object.ts';

test('what is there is given as it is', async () => {
  assert.equal(await expectRecorded('a/b', Promise.resolve(7)), 7);
});

test('a missing object is our own fault and says which', async () => {
  const cause = new Failure('not-found', 'There is no object a/b.');
  await assert.rejects(expectRecorded('a/b', Promise.reject(cause)), (error: Error) => {
    assert.ok(!(error instanceof Failure));
    assert.match(error.message, /a\/b/);
    assert.equal(error.cause, cause);
    return true;
  });
});

test('any other error stays what it is', async () => {
  for (const error of [new Failure('unavailable', 'The store is out of reach.'), new Error('a bug')]) {
    await assert.rejects(expectRecorded('a/b', Promise.reject(error)), (thrown) => thrown === error);
  }
});
