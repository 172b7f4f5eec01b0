import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { formatBytes } from '../../base/format-bytes.ts';
import { isMissing } from '../../storage/disk/file-system/failures.ts';
import { measureDiskSpace } from '../../storage/disk/file-system/free-space.ts';
import type { ServiceFaults } from './service-faults.ts';

/** Finds the device of a directory, and the bytes that the service may still use on it. */
export type MeasureDisk = (
  directory: string,
) => Promise<{ readonly device: number; readonly availableBytes: number }>;

/** The fault ends only at this multiple of the limit. Otherwise it would come and go around the limit. */
const ENOUGH = 1.1;

interface DiskWatchParts {
  readonly faults: ServiceFaults;
  /** The directories of the service, which may be on different disks. One that is missing is left out. */
  readonly directories: readonly string[];
  /** The bytes that must stay available; 0 for no limit. */
  readonly minBytes: number;
  readonly measure?: MeasureDisk | undefined;
}

interface Disk {
  /** The first directory on it. Unlike the host name, it stays the same in a new container. */
  readonly directory: string;
  readonly availableBytes: number;
}

/** Finds out which disks of the service are almost full. */
export class DiskWatch {
  readonly #parts: DiskWatchParts;
  readonly #measure: MeasureDisk;

  constructor(parts: DiskWatchParts) {
    this.#parts = parts;
    this.#measure = parts.measure ?? measureDisk;
  }

  async check(): Promise<void> {
    const { faults, minBytes } = this.#parts;
    if (minBytes === 0) return;
    for (const { directory, availableBytes } of await this.#findDisks()) {
      if (availableBytes >= minBytes * ENOUGH) await faults.noteDisk(directory, undefined);
      else if (availableBytes < minBytes) {
        const message =
          `The disk of ${directory} on ${hostname()} has ${formatBytes(availableBytes)} available, ` +
          `less than HOLDALL_MIN_FREE_DISK_BYTES (${formatBytes(minBytes)}).`;
        await faults.noteDisk(directory, message);
      }
    }
  }

  async #findDisks(): Promise<Iterable<Disk>> {
    const disks = new Map<number, Disk>();
    for (const directory of this.#parts.directories) {
      const measured = await this.#measure(directory).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (measured === undefined || disks.has(measured.device)) continue;
      disks.set(measured.device, { directory, availableBytes: measured.availableBytes });
    }
    return disks.values();
  }
}

const measureDisk: MeasureDisk = async (directory) => {
  const { dev: device } = await stat(directory);
  const { availableBytes } = await measureDiskSpace(directory);
  return { device, availableBytes };
};
