// The sender's choice for transfers without a direct connection, which is remembered for the next time.

import { readStored, writeStored } from '../../../api/stored.ts';

const KEY = 'holdall.transfer.fallback';

type Fallback = 'ask' | 'store';

export function readFallback(): Fallback {
  return readStored(KEY) === 'store' ? 'store' : 'ask';
}

export function chooseFallback(fallback: Fallback): void {
  writeStored(KEY, fallback);
}
