// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FreeSpace } from './free-space.ts';

const TTL_MS = 2_000;

/** A disk of 1,000 available bytes, of which 100 must stay free. */
function createDisk() {
  const disk = { availableBytes: 1_000, measurements: 0, now: 1_000_000 };
  const space = new FreeSpace({
    directory: '/data/objects',
    minBytes: 100,
    clock: { now: () => disk.now },
    measure: async (directory) => {
      if (directory.endsWith('objects')) throw Object.assign(new Error('missing'), { code: 'ENOENT' });
      disk.measurements += 1;
      return { totalBytes: 2_000, freeBytes: disk.availableBytes, availableBytes: disk.availableBytes };
    },
  });
  return { disk, space };
}

describe('FreeSpace', () => {
  it('admits a write that leaves exactly the minimum, and rejects a larger one', async () => {
    const { space } = createDisk();
    await assert.rejects(space.admit(901), { kind: 'over-limit', message: /almost full/ });
    (await space.admit(900)).end();
  });

  it('measures the disk at most every two seconds while there is room', async () => {
    const { disk, space } = createDisk();
    for (let write = 0; write < 10; write += 1) (await space.admit(1)).end();
    assert.equal(disk.measurements, 1);
    disk.now += TTL_MS;
    await Promise.all([space.admit(1), space.admit(1)]);
    assert.equal(disk.measurements, 2);
  });

  it('counts the bytes of a running write once, announced or received', async () => {
    const { disk, space } = createDisk();
    const large = await space.admit(800);
    await assert.rejects(space.admit(101), { kind: 'over-limit' });
    large.receive(500);
    disk.availableBytes = 500;
    disk.now += TTL_MS;
    await assert.rejects(space.admit(101), { kind: 'over-limit' });
    (await space.admit(100)).end();
    large.end();
    (await space.admit(300)).end();
  });

  it('measures again before it rejects a write', async () => {
    const { disk, space } = createDisk();
    disk.availableBytes = 50;
    await assert.rejects(space.admit(0), { kind: 'over-limit' });
    disk.availableBytes = 1_000;
    (await space.admit(900)).end();
  });

  it('ends a running write when the disk falls below the minimum', async () => {
    const { disk, space } = createDisk();
    const write = await space.admit(0);
    assert.equal(await space.findRefusal(), undefined);
    disk.availableBytes = 99;
    assert.equal(await space.findRefusal(), undefined, 'the measurement is recent');
    disk.now += TTL_MS;
    assert.equal((await space.findRefusal())?.kind, 'over-limit');
    write.end();
  });
});
