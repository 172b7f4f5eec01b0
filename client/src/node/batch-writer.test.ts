// tier: default
import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { test } from 'node:test';
import { BatchWriter } from './batch-writer.ts';

/** A file in memory. Each of its system calls writes at most `most` bytes, or fails. */
function fakeFile(most: number, content: Buffer) {
  const state = { fault: undefined as Error | undefined };
  const writev = async (chunks: readonly Uint8Array[], position: number) => {
    if (state.fault !== undefined) throw state.fault;
    const bytes = Buffer.concat(chunks).subarray(0, most);
    bytes.copy(content, position);
    return { bytesWritten: bytes.length };
  };
  // The only method that the writer calls.
  return { state, file: { writev } as unknown as FileHandle };
}

test('chunks of any length are written in order, even if a system call writes only a part', async () => {
  const expected = Buffer.alloc(3_000_000, 'bytes of a file, ');
  for (const most of [1_000_003, 700_000, 5_000_000]) {
    const content = Buffer.alloc(expected.length + 10);
    const writer = new BatchWriter(fakeFile(most, content).file, 10);
    for (let at = 0, length = 1; at < expected.length; at += length, length = (length * 7 + 3) % 300_000) {
      await writer.add(expected.subarray(at, at + length));
    }
    await writer.flush();
    assert.equal(writer.position, content.length);
    assert.ok(content.subarray(10).equals(expected));
  }
});

test('a failed write is reported by a later call', async () => {
  const { file, state } = fakeFile(5_000_000, Buffer.alloc(5_000_000));
  const writer = new BatchWriter(file, 0);
  state.fault = new Error('the disk is full');
  await writer.add(Buffer.alloc(1_500_000));
  await assert.rejects(writer.add(Buffer.alloc(1_500_000)), state.fault);
  await assert.rejects(writer.flush(), state.fault);
});

test('the memory of a chunk is freed once it is written, unless it is part of a larger one', async () => {
  const writer = new BatchWriter(fakeFile(5_000_000, Buffer.alloc(5_000_000)).file, 0);
  const [alone, larger] = [new Uint8Array(1_000), new Uint8Array(1_000)];
  await writer.add(alone);
  await writer.add(larger.subarray(500));
  await writer.flush();
  assert.deepEqual([alone.length, larger.length], [0, 1_000]);
});
