// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { type Fate, type Message, makeFakeLines } from '../../../test/fake-line.ts';
import { type Line, LineBroken, TransferFault } from '../connection/line.ts';
import { BLOCK_BYTES, BlockPlan } from './block-plan.ts';
import { Incoming } from './incoming.ts';
import { receiveBlocks } from './receive-blocks.ts';
import { sendBlocks } from './send-blocks.ts';

const FATES: readonly Fate[] = ['comes', 'is lost', 'is damaged', 'comes late', 'breaks the line'];
const MESSAGE_BYTES = 256 * 1024;

test(
  'all files arrive complete, each closed once, whatever the line does to the messages',
  inFull,
  async () => {
    const size = fc.oneof(fc.constantFrom(0, 1, BLOCK_BYTES, BLOCK_BYTES + 1), fc.nat(2 * BLOCK_BYTES));
    const sizes = fc.array(size, { minLength: 1, maxLength: 4 });
    const fate = fc.constantFrom(...FATES, 'comes', 'comes', 'comes', 'comes', 'comes');
    const fates = fc.array(fate, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, fates, async (lengths, script) => {
        // Short, because the sender notices a lost message only after this time. Outside tests, messages are
        // lost only when the line breaks.
        const transfer = new TestTransfer(lengths, { stallMs: 10 });
        let next = 0;
        await transfer.run(() => script[next++] ?? 'comes');
        transfer.checkWhole();
      }),
      { numRuns: 40 },
    );
  },
);

test('an interrupted transfer resumes at the same step', async () => {
  const transfer = new TestTransfer([3 * BLOCK_BYTES, 40 * BLOCK_BYTES, 0, 7]);
  const cutsAt = [20, 90, 150];
  let count = 0;
  await transfer.run(() => (cutsAt.includes(count++) ? 'breaks the line' : 'comes'));
  transfer.checkWhole();
  assert.equal(transfer.lineCount, cutsAt.length + 1);
  // Only bytes in flight at an interruption are sent twice, which are never more than the window.
  assert.ok(transfer.bytesRead <= transfer.plan.totalBytes + cutsAt.length * 18 * BLOCK_BYTES);
});

test('a slow disk does not make the buffer grow', async () => {
  const transfer = new TestTransfer([40 * BLOCK_BYTES], { writeTurns: 20 });
  await transfer.run(() => 'comes');
  transfer.checkWhole();
  assert.ok(transfer.mostAhead <= 18 * BLOCK_BYTES, `${transfer.mostAhead} bytes were ahead`);
});

test('a file that changes while it is sent ends the transfer on both sides', async () => {
  const transfer = new TestTransfer([BLOCK_BYTES, 3 * BLOCK_BYTES], { unreadableFrom: 2 * BLOCK_BYTES });
  await assert.rejects(
    transfer.run(() => 'comes'),
    isFault('unreadable'),
  );
});

test('a file that becomes shorter while it is sent ends the transfer on both sides', async () => {
  const transfer = new TestTransfer([3 * BLOCK_BYTES], { endsAt: 2 * BLOCK_BYTES + 7 });
  await assert.rejects(
    transfer.run(() => 'comes'),
    isFault('unreadable'),
  );
});

test('a full disk ends the transfer on both sides', async () => {
  const transfer = new TestTransfer([4 * BLOCK_BYTES], { roomBytes: 2 * BLOCK_BYTES });
  await assert.rejects(
    transfer.run(() => 'comes'),
    isFault('no-room'),
  );
});

test('a line that damages every message is abandoned after a limited number of attempts', async () => {
  const transfer = new TestTransfer([BLOCK_BYTES]);
  const fate = (message: Message): Fate => (typeof message === 'string' ? 'comes' : 'is damaged');
  await assert.rejects(transfer.run(fate), isFault('damaged'));
});

test('a sender that ignores the window is rejected', async () => {
  let release = () => {};
  const held = new Promise<never>((_, reject) => {
    release = () => reject(new Error('The disk is slow.'));
  });
  const incoming = new Incoming(new BlockPlan([200 * BLOCK_BYTES]), { begin: () => held }, () => {});
  const { ends } = makeFakeLines(() => 'comes', MESSAGE_BYTES);
  const received = assert.rejects(receiveBlocks(ends[1], incoming), isFault('damaged'));
  const block = new Uint8Array(BLOCK_BYTES);
  const digest = sha(block);
  for (let step = 0; step < 60; step += 1) {
    ends[0].send(JSON.stringify({ type: 'block', epoch: 1, step, sha256: digest }));
    ends[0].send(block);
  }
  const failed = new Promise<string>((resolve) => {
    ends[0].listen({
      onBreak: () => {},
      onMessage: (text) => String(text).includes('failed') && resolve(String(text)),
    });
  });
  assert.match(await failed, /damaged/);
  release();
  await received;
});

function isFault(fault: string) {
  return (error: unknown) => error instanceof TransferFault && error.fault === fault;
}

interface Trouble {
  /** The length of the file when it is read. */
  readonly endsAt?: number;
  readonly stallMs?: number;
  /** How many turns of the event loop a write takes; a message takes one. */
  readonly writeTurns?: number;
  readonly roomBytes?: number;
  readonly unreadableFrom?: number;
}

/** Sends generated files to memory, over several lines in sequence. */
class TestTransfer {
  readonly plan: BlockPlan;
  readonly #trouble: Trouble;
  readonly #closed = new Map<number, Uint8Array[]>();
  lineCount = 0;
  bytesRead = 0;
  #bytesWritten = 0;
  mostAhead = 0;

  constructor(sizes: readonly number[], trouble: Trouble = {}) {
    this.plan = new BlockPlan(sizes);
    this.#trouble = trouble;
  }

  async run(nextFate: (message: Message) => Fate): Promise<void> {
    const incoming = new Incoming(this.plan, { begin: async (file) => this.#begin(file) }, () => {});
    const outgoing = {
      plan: this.plan,
      digests: new Map(),
      onConfirmed: () => undefined,
      ...(this.#trouble.stallMs === undefined ? {} : { stallMs: this.#trouble.stallMs }),
      read: async (file: number, start: number, end: number) => this.#read(file, start, end),
    };
    for (;;) {
      this.lineCount += 1;
      assert.ok(this.lineCount < 100);
      const { ends, cut } = makeFakeLines(nextFate, MESSAGE_BYTES);
      const [sender, receiver]: [Line, Line] = ends;
      const sent = sendBlocks(sender, outgoing);
      const results = await Promise.allSettled([
        sent,
        receiveBlocks(receiver, incoming).finally(() => {
          // The receiving page may close as soon as it has everything. Its last message may then be lost.
          void passTurns(20).then(cut);
        }),
      ]);
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      const [failure] = errors.filter((error) => !(error instanceof LineBroken));
      if (failure !== undefined) {
        assert.equal(errors.length, 2);
        throw failure;
      }
      if (incoming.isWhole) return;
    }
  }

  checkWhole(): void {
    for (const [file, size] of this.plan.sizes.entries()) {
      const bytes = Buffer.concat(this.#closed.get(file) ?? []);
      assert.equal(bytes.length, size);
      for (let at = 0; at < size; at += BLOCK_BYTES) {
        const end = Math.min(size, at + BLOCK_BYTES);
        assert.deepEqual(sha(bytes.subarray(at, end)), sha(bytesOf(file, at, end)));
      }
    }
    assert.equal(this.#closed.size, this.plan.sizes.length);
  }

  #read(file: number, start: number, end: number): Uint8Array<ArrayBuffer> {
    if (start >= (this.#trouble.unreadableFrom ?? Number.POSITIVE_INFINITY)) throw new Error('It is gone.');
    this.bytesRead += end - start;
    this.mostAhead = Math.max(this.mostAhead, this.bytesRead - this.#bytesWritten);
    return bytesOf(file, start, Math.min(end, this.#trouble.endsAt ?? end));
  }

  #begin(file: number) {
    const written: Uint8Array[] = [];
    return {
      write: async (bytes: Uint8Array) => {
        const { writeTurns = 0, roomBytes = Number.POSITIVE_INFINITY } = this.#trouble;
        await passTurns(writeTurns);
        this.#bytesWritten += bytes.length;
        if (this.#bytesWritten > roomBytes) throw new DOMException('Full.', 'QuotaExceededError');
        written.push(bytes);
      },
      close: async () => {
        assert.ok(!this.#closed.has(file), 'a file is closed once');
        this.#closed.set(file, written);
      },
      abort: async () => {},
    };
  }
}

async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** Bytes computed from their position, with a period that is not a multiple of the block size. */
const PATTERN = Uint8Array.from({ length: 2 * BLOCK_BYTES }, (_, at) => (at * 31 + (at >> 8) * 7) & 255);
const PERIOD = 1_000_003;

function bytesOf(file: number, start: number, end: number): Uint8Array<ArrayBuffer> {
  const from = (start + file * 101) % PERIOD;
  return PATTERN.slice(from, from + end - start);
}

function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
