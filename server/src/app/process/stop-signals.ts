/** A second signal within this time counts as the same one. */
const SAME_WITHIN_MS = 250;

/**
 * Calls `first` at the first stop signal and `again` at the next one. One Ctrl-C arrives several times: from
 * the terminal, and from each program that started this one.
 */
export function onStopSignals(first: (signal: NodeJS.Signals) => void, again: () => void): void {
  let stoppedAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      first(signal);
    } else if (performance.now() - stoppedAt > SAME_WITHIN_MS) {
      again();
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
