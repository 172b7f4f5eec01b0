// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../failure.ts';
import { expectRecorded } from './recorded-object.ts';

test('an existing object is returned unchanged', async () => {
  assert.equal(await expectRecorded('a/b', Promise.resolve(7)), 7);
});

test('a missing object is a fault of the server, and the message names it', async () => {
  const cause = new Failure('not-found', 'There is no object a/b.');
  await assert.rejects(expectRecorded('a/b', Promise.reject(cause)), (error: Error) => {
    assert.ok(!(error instanceof Failure));
    assert.match(error.message, /a\/b/);
    assert.equal(error.cause, cause);
    return true;
  });
});

test('any other error is passed on unchanged', async () => {
  for (const error of [new Failure('unavailable', 'The store is out of reach.'), new Error('a bug')]) {
    await assert.rejects(expectRecorded('a/b', Promise.reject(error)), (thrown) => thrown === error);
  }
});
