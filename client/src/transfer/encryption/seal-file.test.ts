// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransferKeys } from './keys.ts';
import { openRecords, sealRecords } from './records.ts';
import { type FileCipher, type SealedRuns, sealFile } from './seal-file.ts';

const RUN_BYTES = 32 * 65_536;
const key = await (await TransferKeys.derive('0123456789ABCDEF', new Uint8Array(16))).ofFile(0);
const cipher: FileCipher = { seal: (bytes, run) => sealRecords(key, bytes, run), close: () => undefined };

function contentOf(size: number, change?: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(size);
  // A loop, because `Uint8Array.from` takes ten times as long.
  for (let at = 0; at < size; at += 1) content[at] = at === change ? 255 : at % 251;
  return content;
}

async function seal(bytes: Uint8Array<ArrayBuffer>, runs: SealedRuns): Promise<Uint8Array<ArrayBuffer>> {
  const sealed: Uint8Array[] = [];
  for await (const part of sealFile(new Blob([bytes]), cipher, runs)) sealed.push(part);
  return new Uint8Array(Buffer.concat(sealed));
}

test('the same file is sealed to the same bytes again', async () => {
  for (const size of [0, 1, RUN_BYTES, RUN_BYTES + 1]) {
    const runs: SealedRuns = new Map();
    const sealed = await seal(contentOf(size), runs);
    assert.deepEqual(await seal(contentOf(size), runs), sealed);
    assert.deepEqual(await openRecords(key, sealed, { first: 0, isEnd: true }), contentOf(size));
  }
});

test('a changed file is not sealed again with used nonces', async () => {
  const size = 2 * RUN_BYTES + 5;
  for (const changed of [
    contentOf(size, 0),
    contentOf(size, RUN_BYTES),
    contentOf(size, size - 1),
    contentOf(size - 1),
    contentOf(size + 1),
    contentOf(RUN_BYTES + 9),
  ]) {
    const runs: SealedRuns = new Map();
    await seal(contentOf(size), runs);
    await assert.rejects(seal(changed, runs), /^Error: The file changed\.$/);
  }
});

test('the next attempt must seal the same bytes as an interrupted one', async () => {
  const size = 2 * RUN_BYTES;
  const runs: SealedRuns = new Map();
  const first = sealFile(new Blob([contentOf(size)]), cipher, runs);
  await first.next();
  await first.return(undefined);
  await assert.rejects(seal(contentOf(size, 1), runs), /^Error: The file changed\.$/);
});
