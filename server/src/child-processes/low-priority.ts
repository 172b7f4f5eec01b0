import { constants, setPriority } from 'node:os';

/** Lowers the priority of a process, so that its work does not slow down the service. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, or the system has no priorities.
  }
}
