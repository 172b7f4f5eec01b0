// What happens to transfers without a direct connection. The browser remembers the sender's choice.

import { readStored, writeStored } from '../../../api/stored.ts';

const KEY = 'holdall.transfer.fallback';

type Fallback = 'ask' | 'store';

export function readFallback(): Fallback {
  return readStored(KEY) === 'store' ? 'store' : 'ask';
}

export function chooseFallback(fallback: Fallback): void {
  writeStored(KEY, fallback);
}
