import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SharedJobs } from './shared-jobs.ts';

/** Starts jobs that end when the test says so. */
class Stage {
  readonly jobs = new SharedJobs<string>();
  readonly started: { finish: (result: string) => void; begin: () => void; signal: AbortSignal }[] = [];

  ask(key: string, signal = new AbortController().signal): Promise<string> {
    const start = (given: AbortSignal, begin: () => void) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      let hasBegun = false;
      given.addEventListener('abort', () => !hasBegun && reject(given.reason));
      this.started.push({
        finish: resolve,
        begin: () => {
          hasBegun = true;
          begin();
        },
        signal: given,
      });
      return promise;
    };
    return this.jobs.run(key, start, signal);
  }
}

describe('a shared job', () => {
  test('is started once for all who ask at the same time, and again afterwards', async () => {
    const stage = new Stage();
    const asked = [stage.ask('a'), stage.ask('a'), stage.ask('b')];
    assert.deepEqual([stage.started.length, stage.jobs.size], [2, 2]);
    stage.started[0]?.finish('one');
    stage.started[1]?.finish('two');
    assert.deepEqual(await Promise.all(asked), ['one', 'one', 'two']);
    assert.equal(stage.jobs.size, 0);
    void stage.ask('a');
    assert.equal(stage.started.length, 3);
  });

  test('goes on for the others when one who asked leaves', async () => {
    const stage = new Stage();
    const leaving = new AbortController();
    const first = stage.ask('a', leaving.signal);
    const second = stage.ask('a');
    leaving.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    assert.equal(stage.started[0]?.signal.aborted, false);
    stage.started[0]?.finish('one');
    assert.equal(await second, 'one');
  });

  test('gives up its place when all have left, and the next caller gets a new one', async () => {
    const stage = new Stage();
    const leaving = new AbortController();
    const first = stage.ask('a', leaving.signal);
    leaving.abort(new Error('gone'));
    const next = stage.ask('a');
    await assert.rejects(first, /gone/);
    assert.deepEqual([stage.started.length, stage.started[0]?.signal.aborted], [2, true]);
    await nextTurn();
    assert.equal(stage.jobs.size, 1);
    stage.started[1]?.finish('two');
    assert.equal(await next, 'two');
  });

  test('that has begun is joined by the next caller, although all have left', async () => {
    const stage = new Stage();
    const leaving = new AbortController();
    const first = stage.ask('a', leaving.signal);
    stage.started[0]?.begin();
    leaving.abort(new Error('gone'));
    await assert.rejects(first, /gone/);
    const next = stage.ask('a');
    assert.equal(stage.started.length, 1);
    stage.started[0]?.finish('one');
    assert.equal(await next, 'one');
  });

  test('is not started for a caller that has left already', async () => {
    const stage = new Stage();
    await assert.rejects(stage.ask('a', AbortSignal.abort(new Error('gone'))), /gone/);
    assert.equal(stage.started.length, 0);
  });
});
