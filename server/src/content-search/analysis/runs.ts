import { Turns } from '../../base/concurrency/turns.ts';
import { RunFinder } from './run-finder.ts';
import { readTokens } from './tokens.ts';

/** Whether a text contains all of the runs. Lets the event loop turn meanwhile. @param signal cancels it */
export async function hasRuns(text: string, runs: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const turns = new Turns();
  const finder = new RunFinder(text, runs);
  const missing = new Set(runs);
  for (const token of readTokens(text)) {
    if (turns.isOver()) {
      await turns.next();
      signal?.throwIfAborted();
    }
    if (token.kind === 'word') continue;
    for (const { needle } of finder.find(token)) missing.delete(needle);
    if (missing.size === 0) return true;
  }
  return missing.size === 0;
}
