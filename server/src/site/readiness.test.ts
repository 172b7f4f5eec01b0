// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { Failure } from '../base/failure.ts';
import { Readiness } from './readiness.ts';

const works = { name: 'The database', check: async () => {} };

describe('readiness', () => {
  it('does not wait for a hanging check, and does not start it a second time', async () => {
    let started = 0;
    const hanging = Promise.withResolvers<void>();
    const check = () => {
      started += 1;
      return hanging.promise;
    };
    const readiness = new Readiness([works, { name: 'The store', check }], { maxCheckMs: 20, resultMs: 0 });
    let previous: ReturnType<Readiness['inspect']> | undefined;
    for (let round = 0; round < 3; round += 1) {
      let current = readiness.inspect();
      await waitUntil('the former result is used no more', () => {
        current = readiness.inspect();
        return current !== previous;
      });
      previous = current;
      await assert.rejects(readiness.check(), (error) => {
        assert.ok(error instanceof Failure && error.kind === 'unavailable');
        assert.match(String(error.cause), /The store does not answer within/);
        return true;
      });
    }
    assert.equal(started, 1);
    hanging.resolve();
    await hanging.promise;
    const isReady = () =>
      readiness.check().then(
        () => true,
        () => false,
      );
    await waitUntil('it is ready', isReady);
  });
});
