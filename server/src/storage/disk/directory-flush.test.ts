import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DirectoryFlush } from './directory-flush.ts';

describe('DirectoryFlush', () => {
  it('begins at once when no flush runs', async () => {
    const disk = new HeldDisk();
    const flushed = disk.flush.flush('/a');
    assert.deepEqual(disk.begun, ['/a']);
    disk.end();
    await flushed;
  });

  it('does not count a flush that had begun before the rename', async () => {
    const disk = new HeldDisk();
    const first = disk.flush.flush('/a');
    let isSecondDone = false;
    const second = disk.flush.flush('/a').then(() => {
      isSecondDone = true;
    });
    disk.end();
    await first;
    await settle();
    assert.equal(isSecondDone, false);
    assert.deepEqual(disk.begun, ['/a', '/a']);
    disk.end();
    await second;
  });

  it('lets all who come during a flush share the next one', async () => {
    const disk = new HeldDisk();
    const waiting = Array.from({ length: 10 }, () => disk.flush.flush('/a'));
    disk.end();
    await waiting[0];
    await settle();
    disk.end();
    await Promise.all(waiting);
    assert.deepEqual(disk.begun, ['/a', '/a']);
  });

  it('lets who comes during the second flush wait for a third', async () => {
    const disk = new HeldDisk();
    const flushes = [disk.flush.flush('/a'), disk.flush.flush('/a')];
    disk.end();
    await flushes[0];
    await settle();
    flushes.push(disk.flush.flush('/a'));
    disk.end();
    await flushes[1];
    await settle();
    assert.equal(disk.begun.length, 3);
    disk.end();
    await flushes[2];
  });

  it('flushes different directories side by side', async () => {
    const disk = new HeldDisk();
    const flushes = [disk.flush.flush('/a'), disk.flush.flush('/b')];
    assert.deepEqual(disk.begun, ['/a', '/b']);
    disk.end();
    disk.end();
    await Promise.all(flushes);
  });

  it('tells a failure to those whom the flush was for, and to nobody else', async () => {
    const disk = new HeldDisk();
    const first = disk.flush.flush('/a');
    const second = disk.flush.flush('/a');
    disk.end(new Error('lost'));
    await assert.rejects(first, /lost/);
    await settle();
    disk.end();
    await second;
  });

  it('begins anew after all is done', async () => {
    const disk = new HeldDisk();
    for (let round = 1; round <= 3; round += 1) {
      const flushed = disk.flush.flush('/a');
      assert.equal(disk.begun.length, round);
      disk.end();
      await flushed;
      await settle();
    }
  });
});

/** A disk whose flushes end, oldest first, when the test says so. */
class HeldDisk {
  readonly begun: string[] = [];
  readonly #held: PromiseWithResolvers<void>[] = [];
  readonly flush = new DirectoryFlush((directory) => {
    this.begun.push(directory);
    const held = Promise.withResolvers<void>();
    this.#held.push(held);
    return held.promise;
  });

  end(error?: Error): void {
    const held = this.#held.shift();
    assert.ok(held !== undefined, 'no flush runs');
    if (error === undefined) held.resolve();
    else held.reject(error);
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
