// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkErrorCodeOf } from './network-error.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

describe('a network error', () => {
  it('is recognised by its code, also inside other errors', () => {
    for (const code of [
      'EHOSTUNREACH',
      'ENETUNREACH',
      'ENETDOWN',
      'EHOSTDOWN',
      'ECONNREFUSED',
      'EAI_AGAIN',
    ]) {
      assert.equal(networkErrorCodeOf(withCode(code)), code);
      assert.equal(networkErrorCodeOf(new Error('outside', { cause: withCode(code) })), code);
      assert.equal(networkErrorCodeOf(new AggregateError([withCode(code), withCode(code)])), code);
    }
  });

  it('is neither a file system error nor a value that is not an error', () => {
    for (const value of [
      withCode('ENOENT'),
      withCode('57014'),
      new Error('plain'),
      'ECONNREFUSED',
      undefined,
    ]) {
      assert.equal(networkErrorCodeOf(value), undefined);
    }
  });
});
