// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransferFault } from '../../../../../../client/src/transfer/connection/line.ts';
import { TransferKeys } from '../../../../../../client/src/transfer/encryption/keys.ts';
import { openRecords } from '../../../../../../client/src/transfer/encryption/records.ts';
import type { ReadableFile } from '../files/chosen-files.ts';
import { sealedSources } from './upload-sources.ts';

/** A file whose content changes without the browser noticing. */
class ChangingFile extends File {
  content = new Uint8Array([1, 2, 3]);

  override slice(start?: number, end?: number): Blob {
    return new Blob([this.content]).slice(start, end);
  }
}

const keys = await TransferKeys.derive('0123456789ABCDEF', new Uint8Array(16));

/** A file of the drive, whose slices are not `Blob`s. */
function driveFile(size: number, bytes: Uint8Array<ArrayBuffer>): ReadableFile {
  const slice = (start: number, end: number) => ({
    arrayBuffer: async () => bytes.slice(start, end).buffer,
  });
  return { name: 'a', type: '', size, slice };
}

test('the pieces of a file from the disk or the drive add up to its ciphertext', async () => {
  const content = new Uint8Array(16_777_216 + 5);
  for (let at = 0; at < content.length; at += 1) content[at] = at % 251;
  for (const file of [new File([content], 'a'), driveFile(content.length, content)]) {
    const [source] = sealedSources([file], keys);
    const pieces = [await source?.makePiece(0), await source?.makePiece(1)];
    const sealed = new Uint8Array(await new Blob(pieces.map((piece) => piece ?? '')).arrayBuffer());
    assert.deepEqual([sealed.length, pieces[0]?.size], [source?.size, source?.pieceBytes]);
    const opened = await openRecords(await keys.ofFile(0), sealed, { first: 0, isEnd: true });
    assert.ok(Buffer.from(opened).equals(content));
  }
});

test('a file that has become shorter is not sent', async () => {
  const [source] = sealedSources([driveFile(4, new Uint8Array(3))], keys);
  await assert.rejects(
    async () => await source?.makePiece(0),
    (error) => error instanceof TransferFault && error.fault === 'unreadable',
  );
});

test('a file that changed between two attempts is not encrypted a second time', async () => {
  const file = new ChangingFile(['abc'], 'a');
  const [source] = sealedSources([file], keys);
  const seal = async () => new Uint8Array((await (await source?.makePiece(0))?.arrayBuffer()) ?? []);
  const sealed = await seal();
  assert.equal(sealed.length, 19);
  assert.deepEqual(await seal(), sealed);
  file.content = new Uint8Array([1, 2, 4]);
  await assert.rejects(seal(), (error) => error instanceof TransferFault && error.fault === 'unreadable');
});
