import type { ChildProcess } from 'node:child_process';
import { Failure } from '../base/failure.ts';

/**
 * Checks that a child process has pipes. Contrary to its types, Node creates none if the process cannot be
 * started because too many files are open.
 * @throws Failure `unavailable`
 */
export function checkHasPipes(child: ChildProcess): void {
  if (child.stdout) return;
  throw new Failure('unavailable', 'Too many files are open.', { retryAfterSeconds: 5 });
}
