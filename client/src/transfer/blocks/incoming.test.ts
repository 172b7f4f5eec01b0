import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '../sha256.ts';
import { BlockPlan } from './block-plan.ts';
import { FileDigests } from './digests.ts';
import type { FileSink, FileSinks } from './file-sink.ts';
import { Incoming } from './incoming.ts';

/** A file that is opened when the test says so. */
class SlowFile implements FileSinks {
  readonly events: string[] = [];
  readonly opened = Promise.withResolvers<void>();

  async begin(): Promise<FileSink> {
    this.events.push('begin');
    await this.opened.promise;
    return {
      write: async () => void this.events.push('write'),
      close: async () => void this.events.push('close'),
      abort: async () => void this.events.push('abort'),
    };
  }
}

describe('a transfer that is stopped', () => {
  test('discards a file that is being opened', async () => {
    const file = new SlowFile();
    const incoming = new Incoming(new BlockPlan([1]), file, () => {});
    const writing = incoming.writeBlock(Uint8Array.of(7));
    const stopping = incoming.stop();
    file.opened.resolve();
    await Promise.allSettled([writing, stopping]);
    assert.equal(file.events.at(-1), 'abort');
    assert.ok(!file.events.includes('close'));
  });

  test('refuses what still arrives', async () => {
    const file = new SlowFile();
    file.opened.resolve();
    const incoming = new Incoming(new BlockPlan([1, 1]), file, () => {});
    await incoming.writeBlock(Uint8Array.of(7));
    await incoming.stop();
    await assert.rejects(incoming.endFile(undefined), /stopped/);
    await assert.rejects(incoming.writeBlock(Uint8Array.of(7)), /stopped/);
    assert.deepEqual(file.events, ['begin', 'write', 'abort']);
  });
});

test('a file that differs from the digest of the whole is discarded and received again', async () => {
  const events: string[] = [];
  const sink = {
    write: async (bytes: Uint8Array) => void events.push(`write ${bytes}`),
    close: async () => void events.push('close'),
    abort: async () => void events.push('abort'),
  };
  const incoming = new Incoming(new BlockPlan([1]), { begin: async () => sink }, () => {});
  const sent = Uint8Array.of(7);
  const whole = new FileDigests(1);
  whole.put(0, await sha256(sent));
  const receive = async (bytes: Uint8Array<ArrayBuffer>) => {
    await incoming.writeBlock(bytes, await sha256(bytes));
    return await incoming.endFile(await whole.ofWhole());
  };

  // Each block is checked on its way, but the disk or the memory of this device may damage it afterwards.
  assert.equal(await receive(Uint8Array.of(8)), false);
  assert.equal(incoming.step, 0);
  assert.equal(await receive(sent), true);
  assert.ok(incoming.isWhole);
  assert.deepEqual(events, ['write 8', 'abort', 'write 7', 'close']);
});
