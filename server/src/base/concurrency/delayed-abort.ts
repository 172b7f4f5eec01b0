/** A signal that is aborted some time after another one, unless `end` is called before. */
export interface DelayedAbort {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** Gives running work some time after the signal was aborted. */
export function delayAbort(signal: AbortSignal, delayMs: number): DelayedAbort {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer = setTimeout(() => late.abort(), delayMs);
  };
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  const end = () => {
    signal.removeEventListener('abort', wait);
    clearTimeout(timer);
  };
  return { signal: late.signal, end };
}
