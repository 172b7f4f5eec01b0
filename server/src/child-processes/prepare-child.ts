import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { Failure } from '../base/failure.ts';

/**
 * Checks that a new child process has pipes, and lowers its priority. Contrary to its types, Node creates no
 * pipes if the process cannot be started because too many files are open.
 * @throws Failure `unavailable` without pipes
 */
export function prepareChild({ stdout, pid }: ChildProcess): void {
  if (!stdout) throw new Failure('unavailable', 'Too many files are open.', { retryAfterSeconds: 5 });
  if (pid !== undefined) lowerPriority(pid);
}

/** The work of a process must not slow down the service. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, or the system has no priorities.
  }
}
