import path from 'node:path';
import { findDiskFacts } from './disk-facts.ts';

/** Where the disk of a directory is mounted. */
export function findMountPath(directory: string): string {
  const device = findDiskFacts(directory)?.device;
  for (let at = directory; ; ) {
    const above = path.dirname(at);
    if (above === at || findDiskFacts(above)?.device !== device) return at;
    at = above;
  }
}
