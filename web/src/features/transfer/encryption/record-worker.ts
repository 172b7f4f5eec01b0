// Seals and opens records in a worker, so that the page stays responsive while it works on large files.

import {
  CannotOpen,
  openRecords,
  sealRecords,
} from '../../../../../client/src/transfer/encryption/records.ts';
import type { RecordAnswer, RecordRequest } from './record-cipher.ts';

self.onmessage = async ({ data }: MessageEvent<RecordRequest>) => {
  const { id, work, key, bytes, run } = data;
  try {
    const result = await (work === 'seal' ? sealRecords : openRecords)(key, bytes, run);
    answer({ id, bytes: result }, [result.buffer]);
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
