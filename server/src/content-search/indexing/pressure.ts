import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureDiskSpace } from '../../storage/disk/file-system/free-space.ts';

/** The service is busy if its event loop works for more than this share of the time. */
const MAX_UTILIZATION = 0.7;

/** Tells when the machine has better things to do. */
export interface Pressure {
  /**
   * Waits, and returns whether the service was busy meanwhile. The caller does nothing else, so its own work
   * does not count.
   * @throws the reason of the signal
   */
  isBusyFor(ms: number, signal: AbortSignal): Promise<boolean>;
  /** Whether the disk of the data directory is nearly full. */
  isDiskFull(): Promise<boolean>;
}

export class MachinePressure implements Pressure {
  readonly #directory: string;
  readonly #minFreeBytes: number;

  constructor(directory: string, minFreeBytes: number) {
    this.#directory = directory;
    this.#minFreeBytes = minFreeBytes;
  }

  async isBusyFor(ms: number, signal: AbortSignal): Promise<boolean> {
    const before = performance.eventLoopUtilization();
    await sleep(ms, undefined, { signal });
    return performance.eventLoopUtilization(before).utilization > MAX_UTILIZATION;
  }

  async isDiskFull(): Promise<boolean> {
    if (this.#minFreeBytes === 0) return false;
    return (await measureDiskSpace(this.#directory)).availableBytes < this.#minFreeBytes;
  }
}
