// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ChunkReader } from './chunk-reader.ts';
import type { PieceSource } from './upload-source.ts';

const content = new Uint8Array(1_000).map((_, index) => index * 7);

/** A source that records what is read. */
function recordingSource(onRead: (start: number, into: Uint8Array) => void = () => {}) {
  const memories = new Set<ArrayBuffer>();
  const source: PieceSource = {
    size: content.length,
    readPiece: async (start, into) => {
      memories.add(into.buffer);
      onRead(start, into);
      into.set(content.subarray(start, start + into.length));
    },
  };
  return { source, memories };
}

test('every chunk has its bytes and its checksum, and two buffers are enough for all', async () => {
  const { source, memories } = recordingSource();
  const reader = new ChunkReader(source);
  for (let start = 0; start < content.length; ) {
    const chunk = await reader.read(start, 64);
    const expected = content.subarray(start, start + 64);
    assert.deepEqual(chunk.bytes, expected);
    assert.equal(chunk.checksum, createHash('sha256').update(expected).digest('base64'));
    start += chunk.bytes.length;
    reader.release(chunk);
  }
  assert.equal(memories.size, 2);
});

test('the buffer of a failed chunk is not reused', async () => {
  const { source, memories } = recordingSource();
  const reader = new ChunkReader(source);
  const failed = await reader.read(0, 100);
  const again = await reader.read(0, 50);
  assert.deepEqual(again.bytes, content.subarray(0, 50));
  const after = await reader.read(50, 50);
  assert.deepEqual(after.bytes, content.subarray(50, 100));
  assert.deepEqual(failed.bytes, content.subarray(0, 100));
  assert.equal(memories.size, 5);
});

test('an unreadable chunk is an error only when it is requested', async () => {
  const fault = new Error('the disk is gone');
  const { source } = recordingSource((start) => {
    if (start >= 100) throw fault;
  });
  const reader = new ChunkReader(source);
  const first = await reader.read(0, 100);
  assert.equal(first.bytes.length, 100);
  await assert.rejects(reader.read(100, 100), fault);
});
