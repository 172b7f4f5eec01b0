// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DirectoryFlush } from './directory-flush.ts';

describe('DirectoryFlush', () => {
  it('does not resolve a call with a flush that began before it', async () => {
    const disk = new ManualDisk();
    const first = disk.flush.flush('/a');
    await settle();
    assert.deepEqual(disk.started, ['/a']);
    let isSecondDone = false;
    const second = disk.flush.flush('/a').then(() => {
      isSecondDone = true;
    });
    disk.end();
    await first;
    await settle();
    assert.equal(isSecondDone, false);
    assert.deepEqual(disk.started, ['/a', '/a']);
    disk.end();
    await second;
  });

  it('lets callers that arrive during a flush of the directory share the next one', async () => {
    const disk = new ManualDisk();
    const first = disk.flush.flush('/a');
    await settle();
    const others = Array.from({ length: 10 }, () => disk.flush.flush('/a'));
    disk.end();
    await first;
    await settle();
    disk.end();
    await Promise.all(others);
    assert.deepEqual(disk.started, ['/a', '/a']);
  });

  it('flushes different directories at the same time', async () => {
    const disk = new ManualDisk();
    const flushes = [disk.flush.flush('/a'), disk.flush.flush('/b')];
    await settle();
    assert.deepEqual(disk.started, ['/a', '/b']);
    disk.end();
    disk.end();
    await Promise.all(flushes);
  });

  it('rejects only the callers of the failed flush', async () => {
    const disk = new ManualDisk();
    const first = disk.flush.flush('/a');
    await settle();
    const second = disk.flush.flush('/a');
    disk.end(new Error('lost'));
    await assert.rejects(first, /lost/);
    await settle();
    disk.end();
    await second;
  });

  it('starts a new flush once the last one has ended', async () => {
    const disk = new ManualDisk();
    for (let round = 1; round <= 3; round += 1) {
      const flushes = [disk.flush.flush('/a'), disk.flush.flush('/a')];
      await settle();
      assert.equal(disk.started.length, round);
      disk.end();
      await Promise.all(flushes);
    }
  });
});

/** A disk whose flushes end, oldest first, when the test calls `end`. */
class ManualDisk {
  readonly started: string[] = [];
  readonly #pending: PromiseWithResolvers<void>[] = [];
  readonly flush = new DirectoryFlush((directory) => {
    this.started.push(directory);
    const pending = Promise.withResolvers<void>();
    this.#pending.push(pending);
    return pending.promise;
  });

  end(error?: Error): void {
    const pending = this.#pending.shift();
    assert.ok(pending !== undefined, 'no flush is running');
    if (error === undefined) pending.resolve();
    else pending.reject(error);
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
