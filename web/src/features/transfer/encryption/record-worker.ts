// Seals and opens records in a worker, so the page stays responsive during transfers of large files.

import { CannotOpen, openRecords } from '../../../../../client/src/transfer/encryption/records.ts';
import type { RecordAnswer, RecordRequest } from './record-cipher.ts';
import { sealPiece } from './seal-piece.ts';

self.onmessage = async ({ data }: MessageEvent<RecordRequest>) => {
  const { id, key, run } = data;
  try {
    if (data.kind === 'seal') {
      answer({ id, piece: await sealPiece(key, data.content, run) }, []);
    } else {
      const bytes = await openRecords(key, data.bytes, run);
      answer({ id, bytes }, [bytes.buffer]);
    }
  } catch (error) {
    answer({ id, fault: error instanceof CannotOpen ? 'cannot-open' : String(error) }, []);
  }
};

self.onmessageerror = () => {
  throw new Error('The request cannot be read.');
};

function answer(message: RecordAnswer, transfer: ArrayBuffer[]): void {
  self.postMessage(message, { transfer });
}
