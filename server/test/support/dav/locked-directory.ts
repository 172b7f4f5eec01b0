import type { DavClient } from './dav-client.ts';

interface LockedDirectory {
  readonly address: string;
  /** The addresses of the directories above it, the outermost first. */
  readonly above: readonly string[];
  readonly files: readonly string[];
}

/**
 * Creates 14 nested directories with long names, 130 files in the innermost one, and 80 locks on the
 * innermost five.
 */
export async function createLockedDirectory(client: DavClient): Promise<LockedDirectory> {
  let address = '/dav/';
  const directories: string[] = [];
  for (let level = 0; level < 14; level += 1) {
    address += `${encodeURIComponent('ü'.repeat(120) + level)}/`;
    await client.expect(201, 'MKCOL', address);
    directories.push(address);
  }
  const files = Array.from({ length: 130 }, (_, index) => `${address}${index}.txt`);
  for (const file of files) await client.put(file, '');
  const owner = 'o'.repeat(256);
  for (const directory of directories.slice(-5)) {
    for (let count = 0; count < 16; count += 1) await client.locked(directory, { scope: 'shared', owner });
  }
  return { address, above: directories.slice(0, -1), files };
}
