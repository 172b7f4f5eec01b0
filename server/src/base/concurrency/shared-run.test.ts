// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { SharedRun } from './shared-run.ts';

describe('SharedRun', () => {
  it('is idle before the first flush and after the last one, a failed one included', async () => {
    const disk = new ManualDisk();
    assert.equal(disk.flush.isIdle, true);
    const first = disk.flush.wait();
    assert.equal(disk.flush.isIdle, false);
    await settle();
    const second = disk.flush.wait();
    disk.end();
    await first;
    assert.equal(disk.flush.isIdle, false);
    await settle();
    disk.end(new Error('lost'));
    await assert.rejects(second, /lost/);
    assert.equal(disk.flush.isIdle, true);
  });

  it('lets callers that arrive during a flush share the next one', async () => {
    const disk = new ManualDisk();
    const first = disk.flush.wait();
    await settle();
    const others = Array.from({ length: 50 }, () => disk.flush.wait());
    disk.end();
    await first;
    await settle();
    assert.equal(disk.started, 2);
    disk.end();
    await Promise.all(others);
  });

  it('does not resolve a call with a flush that began before it', async () => {
    const disk = new ManualDisk();
    const first = disk.flush.wait();
    await settle();
    let isResolved = false;
    const second = disk.flush.wait().then(() => {
      isResolved = true;
    });
    disk.end();
    await first;
    await settle();
    assert.equal(isResolved, false);
    disk.end();
    await second;
  });

  it('runs one flush at a time', async () => {
    const disk = new ManualDisk();
    const waiting = [disk.flush.wait()];
    for (let round = 0; round < 5; round += 1) {
      await settle();
      waiting.push(disk.flush.wait(), disk.flush.wait());
      await settle();
      assert.equal(disk.running, 1);
      disk.end();
    }
    await settle();
    disk.end();
    await Promise.all(waiting);
    assert.equal(disk.started, 6);
  });

  it('rejects only the callers of the failed flush, and continues with the next one', async () => {
    const disk = new ManualDisk();
    const first = disk.flush.wait();
    await settle();
    const second = disk.flush.wait();
    disk.end(new Error('lost'));
    await assert.rejects(first, /lost/);
    await settle();
    disk.end();
    await second;
  });

  it('lets callers that arrive in one turn of the event loop share a run that gathers them', async () => {
    let runs = 0;
    const shared = new SharedRun(async () => {
      runs += 1;
    }, endOfTurn);
    const first = shared.wait();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    const second = shared.wait();
    assert.equal(runs, 0);
    await Promise.all([first, second]);
    assert.equal(runs, 1);
    await shared.wait();
    assert.equal(runs, 2);
    assert.equal(shared.isIdle, true);
  });

  it('covers every write with a flush that began after the write, whatever the timing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }), async (pauses) => {
        let written = 0;
        let durable = 0;
        const flush = new SharedRun(async () => {
          const covered = written;
          await settle();
          durable = Math.max(durable, covered);
        });
        const acknowledged: Promise<void>[] = [];
        for (const pause of pauses) {
          for (let turn = 0; turn < pause; turn += 1) await Promise.resolve();
          if (pause === 6) await settle();
          written += 1;
          const number = written;
          acknowledged.push(
            flush.wait().then(() => assert.ok(durable >= number, `write ${number} was lost`)),
          );
        }
        await Promise.all(acknowledged);
      }),
      { numRuns: 200 },
    );
  });
});

/** A disk whose flushes end when the test calls `end`. */
class ManualDisk {
  started = 0;
  running = 0;
  #pending: PromiseWithResolvers<void> | undefined;
  readonly flush = new SharedRun(async () => {
    this.started += 1;
    this.running += 1;
    this.#pending = Promise.withResolvers<void>();
    await this.#pending.promise;
  });

  end(error?: Error): void {
    const pending = this.#pending;
    assert.ok(pending !== undefined, 'no flush is running');
    this.#pending = undefined;
    this.running -= 1;
    if (error === undefined) pending.resolve();
    else pending.reject(error);
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
