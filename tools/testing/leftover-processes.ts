import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills the processes that tests have started and not ended, as happens to a file that is interrupted: those
 * that have the directory in their environment. Does nothing where there is no `/proc`.
 */
export function killLeftoverProcesses(temporaryDirectory: string): void {
  for (const pid of listProcesses()) {
    if (pid === process.pid || !readEnvironment(pid).includes(temporaryDirectory)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The environment with which the process started; empty if it cannot be read. */
function readEnvironment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
