import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** The free bytes that this process may use. */
  readonly availableBytes: number;
}

/** Measures the file system that contains the directory. */
export async function measureDiskSpace(directory: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(directory);
  return { totalBytes: blocks * bsize, freeBytes: bfree * bsize, availableBytes: bavail * bsize };
}
