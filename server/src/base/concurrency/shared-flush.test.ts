import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SharedFlush } from './shared-flush.ts';

describe('SharedFlush', () => {
  it('lets all who wait during a flush share the next one', async () => {
    const disk = new HeldDisk();
    const first = disk.flush.wait();
    await settle();
    const others = Array.from({ length: 50 }, () => disk.flush.wait());
    disk.end();
    await first;
    await settle();
    assert.equal(disk.begun, 2);
    disk.end();
    await Promise.all(others);
  });

  it('answers nobody by a flush that had begun before they came', async () => {
    const disk = new HeldDisk();
    const first = disk.flush.wait();
    await settle();
    let isAnswered = false;
    const second = disk.flush.wait().then(() => {
      isAnswered = true;
    });
    disk.end();
    await first;
    await settle();
    assert.equal(isAnswered, false);
    disk.end();
    await second;
  });

  it('runs one flush at a time', async () => {
    const disk = new HeldDisk();
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
    assert.equal(disk.begun, 6);
  });

  it('tells a failure to those whom the flush was for, and begins anew', async () => {
    const disk = new HeldDisk();
    const first = disk.flush.wait();
    await settle();
    const second = disk.flush.wait();
    disk.end(new Error('lost'));
    await assert.rejects(first, /lost/);
    await settle();
    disk.end();
    await second;
  });

  it('covers every write with a flush that began after it, whatever the timing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }), async (pauses) => {
        let written = 0;
        let durable = 0;
        const flush = new SharedFlush(async () => {
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

/** A disk whose flushes end when the test says so. */
class HeldDisk {
  begun = 0;
  running = 0;
  #held: PromiseWithResolvers<void> | undefined;
  readonly flush = new SharedFlush(async () => {
    this.begun += 1;
    this.running += 1;
    this.#held = Promise.withResolvers<void>();
    await this.#held.promise;
  });

  end(error?: Error): void {
    const held = this.#held;
    assert.ok(held !== undefined, 'no flush runs');
    this.#held = undefined;
    this.running -= 1;
    if (error === undefined) held.resolve();
    else held.reject(error);
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
