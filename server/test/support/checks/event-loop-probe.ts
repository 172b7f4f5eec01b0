import { performance } from 'node:perf_hooks';

/** The longest turn of the event loop, in milliseconds. */
export interface LongestTurn {
  /** Of this thread's CPU time. Other programs on the machine do not add to it. */
  readonly cpuMs: number;
  /** Of the time that passed, with waits for the disk and for the processor. */
  readonly wallMs: number;
}

const EVERY_MS = 1;

/** Measures the turns of the event loop of this thread while `act` runs. */
export async function measureLongestTurn(act: () => Promise<unknown>): Promise<LongestTurn> {
  let [cpuMs, wallMs] = [0, 0];
  let [lastCpu, lastWall] = [readCpuMs(), performance.now()];
  const probe = setInterval(() => {
    const [cpu, wall] = [readCpuMs(), performance.now()];
    cpuMs = Math.max(cpuMs, cpu - lastCpu);
    wallMs = Math.max(wallMs, wall - lastWall - EVERY_MS);
    [lastCpu, lastWall] = [cpu, wall];
  }, EVERY_MS);
  try {
    await act();
    // The last turn is measured by the next one.
    await new Promise((resolve) => setTimeout(resolve, 2 * EVERY_MS));
  } finally {
    clearInterval(probe);
  }
  return { cpuMs, wallMs };
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
