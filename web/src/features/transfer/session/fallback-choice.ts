// What to do when there is no direct connection; remembered for the next time.

const KEY = 'holdall.transfer.fallback';

export type Fallback = 'ask' | 'store';

export function readFallback(): Fallback {
  return localStorage.getItem(KEY) === 'store' ? 'store' : 'ask';
}

export function chooseFallback(fallback: Fallback): void {
  localStorage.setItem(KEY, fallback);
}
