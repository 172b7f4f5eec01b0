// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../base/failure.ts';
import { isMissing, toDiskFailure } from './failures.ts';

describe('a disk error', () => {
  for (const [code, kind] of [
    ['ENOSPC', 'over-limit'],
    ['EDQUOT', 'over-limit'],
    ['EROFS', 'unavailable'],
    ['EIO', 'unavailable'],
    ['EACCES', 'unavailable'],
  ] as const) {
    it(`with ${code} becomes ${kind}, with the original error as the cause`, () => {
      const error = Object.assign(new Error(`${code}: write /secret/place`), { code });
      const failure = toDiskFailure(error);
      assert.ok(failure instanceof Failure);
      assert.equal(failure.kind, kind);
      assert.equal(failure.cause, error);
      assert.ok(!failure.message.includes('/secret/place'));
    });
  }

  it('tells the client when to retry, and to wait longer for a full disk', () => {
    const secondsOf = (code: string) => {
      const failure = toDiskFailure(Object.assign(new Error(code), { code }));
      return failure instanceof Failure ? failure.retryAfterSeconds : undefined;
    };
    assert.deepEqual(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE'].map(secondsOf), [30, 30, 5, 5]);
  });

  it('with any other code stays unchanged', () => {
    const error = Object.assign(new Error('EBADF'), { code: 'EBADF' });
    assert.equal(toDiskFailure(error), error);
    const plain = new Error('no code');
    assert.equal(toDiskFailure(plain), plain);
  });

  it('is recognised as a missing file by its code', () => {
    assert.equal(isMissing(Object.assign(new Error(), { code: 'ENOENT' })), true);
    assert.equal(isMissing(Object.assign(new Error(), { code: 'ENOTDIR' })), true);
    assert.equal(isMissing(Object.assign(new Error(), { code: 'EISDIR' })), false);
    assert.equal(isMissing('ENOENT'), false);
  });
});
