// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../base/failure.ts';
import { Readiness } from './readiness.ts';

const works = { name: 'The database', check: async () => {} };

describe('readiness', () => {
  it('does not wait for a check that hangs, and does not start it a second time', async () => {
    let started = 0;
    const hanging = Promise.withResolvers<void>();
    const check = () => {
      started += 1;
      return hanging.promise;
    };
    const readiness = new Readiness([works, { name: 'The store', check }], { maxCheckMs: 20, resultMs: 0 });
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(readiness.check(), (error) => {
        assert.ok(error instanceof Failure && error.kind === 'unavailable');
        assert.match(String(error.cause), /The store does not answer within/);
        return true;
      });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.equal(started, 1);
    hanging.resolve();
    await hanging.promise;
    await readiness.check();
  });
});
