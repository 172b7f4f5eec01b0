/** So soon after the first a signal is still the same one. */
const SAME_WITHIN_MS = 250;

/**
 * Calls `first` when the program is asked to stop, and `again` when it is asked once more. Of one Ctrl-C we hear several
 * times: from the terminal, and from each of the programs that started us.
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
