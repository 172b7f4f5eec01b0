import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills processes that tests have started and left running, for example after an interruption. It finds them
 * by the directory in their environment. Does nothing if there is no `/proc`.
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
