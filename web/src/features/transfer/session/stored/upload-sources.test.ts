import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TransferFault } from '../../../../../../client/src/transfer/connection/line.ts';
import { TransferKeys } from '../../../../../../client/src/transfer/encryption/keys.ts';
import { sealedSources } from './upload-sources.ts';

/** A file whose browser does not notice that it changed. */
class ChangingFile extends File {
  content = new Uint8Array([1, 2, 3]);

  override slice(start?: number, end?: number): Blob {
    return new Blob([this.content]).slice(start, end);
  }
}

test('a file that changed between two attempts is encrypted no second time', async () => {
  const file = new ChangingFile(['abc'], 'a');
  const keys = await TransferKeys.derive('0123456789ABCDEF', new Uint8Array(16));
  const [source] = sealedSources([file], keys);
  const seal = async () => new Uint8Array((await (await source?.makePiece(0))?.arrayBuffer()) ?? []);
  const sealed = await seal();
  assert.equal(sealed.length, 19);
  assert.deepEqual(await seal(), sealed);
  file.content = new Uint8Array([1, 2, 4]);
  await assert.rejects(seal(), (error) => error instanceof TransferFault && error.fault === 'unreadable');
});
