import { readFileSync } from 'node:fs';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';

/** What Linux counts in `/proc`, on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

/** On a busy computer a process may take this many times its processor time. */
const MAX_SLOWNESS = 6;
/** Short limits are for tests, and shorter than the start of a process. */
const MIN_WAIT_MS = SECOND;
const MIN_CHECK_MS = 20;

/**
 * Calls back once when a process has taken its processor time, or has not got it in six times that. Its work begins
 * now. Processes that decode yield to all others, so the time that passes says little about what they do. Where the
 * processor time cannot be read (outside Linux), the time that passes counts.
 *
 * @param limitMs of processor time
 * @param onEnd `exceeded`: it has taken the time; `starved`: it has not got it
 * @returns what ends the watch
 */
export function limitProcessorTime(
  pid: number | undefined,
  limitMs: number,
  onEnd: (reason: 'exceeded' | 'starved') => void,
): () => void {
  const startMs = performance.now();
  const maxWaitMs = Math.max(MAX_SLOWNESS * limitMs, MIN_WAIT_MS);
  const before = readProcessorMs(pid);
  const check = () => {
    const now = readProcessorMs(pid);
    const leftMs = before === undefined || now === undefined ? 0 : limitMs - (now - before);
    if (leftMs <= 0) onEnd('exceeded');
    else if (performance.now() - startMs >= maxWaitMs) onEnd('starved');
    else timer = setTimeout(check, Math.max(leftMs, MIN_CHECK_MS));
  };
  let timer = setTimeout(check, limitMs);
  return () => clearTimeout(timer);
}

/** The fault of the computer and not of the picture, which may be asked for again. */
export function starved(): Failure {
  return new Failure('unavailable', 'The computer of the service is too busy to make the thumbnail.');
}

/** The processor time of a process and all of its threads; undefined if it has ended or the system does not say. */
function readProcessorMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): the name of the program is in parentheses and may contain any character. After it the third field
    // follows; the times in user and in system mode are the 14th and the 15th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * SECOND) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
