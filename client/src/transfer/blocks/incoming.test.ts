// tier: default
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../sha256.ts';
import { BlockPlan } from './block-plan.ts';
import { FileDigests } from './digests.ts';
import type { FileSink, FileSinks } from './file-sink.ts';
import { Incoming } from './incoming.ts';

/** A file whose steps last until the test releases them. */
class SlowFile implements FileSinks {
  readonly events: string[] = [];
  readonly #waits: Partial<Record<string, PromiseWithResolvers<void>>> = {};

  /** Returns a function that lets the step end. */
  hold(step: 'begin' | 'write' | 'close'): () => void {
    const wait = Promise.withResolvers<void>();
    this.#waits[step] = wait;
    return wait.resolve;
  }

  async begin(): Promise<FileSink> {
    await this.#do('begin');
    return {
      write: () => this.#do('write'),
      close: () => this.#do('close'),
      abort: () => this.#do('abort'),
    };
  }

  async #do(step: string): Promise<void> {
    this.events.push(step);
    await this.#waits[step]?.promise;
  }
}

describe('a transfer that is stopped', () => {
  const steps: number[] = [];
  const startFile = (file: SlowFile) =>
    new Incoming(new BlockPlan([1, 1]), file, (step) => void steps.push(step));

  beforeEach(() => {
    steps.length = 0;
  });

  test('discards a file that is being opened', async () => {
    const file = new SlowFile();
    const release = file.hold('begin');
    const incoming = startFile(file);
    const writing = assert.rejects(incoming.writeBlock(Uint8Array.of(7)), /stopped/);
    const stopping = incoming.stop();
    release();
    await Promise.all([writing, stopping]);
    assert.deepEqual(file.events, ['begin', 'abort']);
    assert.deepEqual(steps, []);
  });

  test('discards a file that is being written', async () => {
    const file = new SlowFile();
    const release = file.hold('write');
    const incoming = startFile(file);
    const writing = assert.rejects(incoming.writeBlock(Uint8Array.of(7)), /stopped/);
    await setImmediate();
    await incoming.stop();
    release();
    await writing;
    assert.deepEqual(file.events, ['begin', 'write', 'abort']);
    assert.deepEqual(steps, []);
  });

  test('does not complete a file whose digest is being computed', async () => {
    const file = new SlowFile();
    const incoming = startFile(file);
    const bytes = Uint8Array.of(7);
    await incoming.writeBlock(bytes, await sha256(bytes));
    const whole = new FileDigests(1);
    whole.put(0, await sha256(bytes));
    const ending = assert.rejects(incoming.endFile(await whole.ofWhole()), /stopped/);
    await incoming.stop();
    await ending;
    assert.deepEqual(file.events, ['begin', 'write', 'abort']);
  });

  test('rejects bytes that still arrive', async () => {
    const file = new SlowFile();
    const incoming = startFile(file);
    await incoming.writeBlock(Uint8Array.of(7));
    await incoming.stop();
    await assert.rejects(incoming.endFile(undefined), /stopped/);
    await assert.rejects(incoming.writeBlock(Uint8Array.of(7)), /stopped/);
    assert.deepEqual(file.events, ['begin', 'write', 'abort']);
  });
});

test('a file with a wrong digest is discarded and received again', async () => {
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

  // Each block is checked on arrival, but the disk or memory of this device may damage it afterwards.
  assert.equal(await receive(Uint8Array.of(8)), false);
  assert.equal(incoming.step, 0);
  assert.equal(await receive(sent), true);
  assert.ok(incoming.isWhole);
  assert.deepEqual(events, ['write 8', 'abort', 'write 7', 'close']);
});
