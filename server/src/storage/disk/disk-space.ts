import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Of the free ones, those that this program may use. */
  readonly availableBytes: number;
}

/** The space of the file system in which the directory lies. */
export async function measureDiskSpace(directory: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(directory);
  return { totalBytes: blocks * bsize, freeBytes: bfree * bsize, availableBytes: bavail * bsize };
}
