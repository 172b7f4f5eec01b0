import type { ChildProcess } from 'node:child_process';
import { Failure } from '../base/failure.ts';

/**
 * Node creates no pipes for a process that cannot be started because too many files are open, although its types
 * say so.
 * @throws Failure `unavailable`
 */
export function checkHasPipes(child: ChildProcess): void {
  if (child.stdout) return;
  throw new Failure('unavailable', 'Too many files are open.', { retryAfterSeconds: 5 });
}
