// tier: default
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { FileStream } from './file-stream.ts';
import { openFile } from './file-system.ts';

const directory = await mkdtemp(path.join(tmpdir(), 'holdall-file-stream-'));
after(() => rm(directory, { recursive: true, force: true }));
const content = randomBytes(600_000);
const file = path.join(directory, 'file');
await writeFile(file, content);

async function openStream(start = 0, length = content.length): Promise<FileStream> {
  return new FileStream(await openFile(file), start, length);
}

async function readAndRelease(stream: FileStream): Promise<Set<ArrayBufferLike>> {
  const memory = new Set<ArrayBufferLike>();
  for await (const chunk of stream) {
    memory.add(chunk.buffer);
    stream.release(chunk);
  }
  return memory;
}

test('memory that one stream has released is used by the next', async () => {
  const first = await readAndRelease(await openStream());
  const second = await readAndRelease(await openStream());
  assert.ok(
    [...second].every((memory) => first.has(memory)),
    'the second stream allocated memory',
  );
});

test('two streams never use the same memory at a time, even if a chunk is released twice', async () => {
  const careless = await openStream(0, 200_000);
  for await (const chunk of careless) {
    careless.release(chunk);
    careless.release(chunk);
  }
  const places = [0, 100_000, 200_000, 300_000, 399_999];
  const streams = await Promise.all(places.map((start) => openStream(start, 200_001)));
  const chunks = await Promise.all(
    streams.map(async (stream) => {
      const read: Buffer[] = [];
      for await (const chunk of stream) read.push(chunk);
      return read;
    }),
  );
  assert.equal(new Set(chunks.flat().map(({ buffer }) => buffer)).size, chunks.flat().length);
  for (const [index, start] of places.entries()) {
    assert.deepEqual(Buffer.concat(chunks[index] ?? []), content.subarray(start, start + 200_001));
  }
});

test('a stream does not release the chunk of another stream', async () => {
  const [one, other] = [await openStream(0, 1_000), await openStream(0, 1_000)];
  const [chunk] = await one.toArray();
  other.release(chunk);
  const [next] = await other.toArray();
  assert.notEqual(next.buffer, chunk.buffer);
  assert.deepEqual(chunk, content.subarray(0, 1_000));
});
