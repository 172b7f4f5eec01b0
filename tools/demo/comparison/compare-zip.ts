import { createHash } from 'node:crypto';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ExpectedTree } from '../files/expected-tree.ts';

/**
 * Reads a ZIP that contains the tree under one folder, hashes every file, and reports every difference.
 * `onFile` is called with each file's bytes.
 */
export async function compareZip(
  file: string,
  folder: string,
  expected: ExpectedTree,
  onFile: (bytes: number) => void,
): Promise<readonly string[]> {
  const differences: string[] = [];
  const seen = new Set<string>();
  const zip = await openPromise(file);
  for await (const entry of zip.eachEntry()) {
    const isDirectory = entry.fileName.endsWith('/');
    const fullPath = isDirectory ? entry.fileName.slice(0, -1) : entry.fileName;
    if (isDirectory && fullPath === folder) continue;
    if (!fullPath.startsWith(`${folder}/`)) {
      differences.push(`zip: ${fullPath} lies outside of the folder ${folder}`);
      continue;
    }
    const path = fullPath.slice(folder.length + 1);
    if (seen.has(path)) differences.push(`zip: ${path} is there twice`);
    seen.add(path);
    if (isDirectory) {
      if (!expected.directories.has(path)) differences.push(`zip: the directory ${path} should not be there`);
    } else {
      const wanted = expected.files.get(path);
      const sha256 = await hashEntry(zip, entry, onFile);
      if (wanted === undefined) differences.push(`zip: ${path} should not be there`);
      else if (wanted.sha256 !== sha256) differences.push(`zip: the bytes of ${path} differ`);
    }
  }
  for (const path of [...expected.files.keys(), ...expected.emptyDirectories()]) {
    if (!seen.has(path)) differences.push(`zip: ${path} is missing`);
  }
  return differences;
}

async function hashEntry(zip: ZipFile, entry: Entry, onFile: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await zip.openReadStreamPromise(entry)) hash.update(chunk);
  onFile(entry.uncompressedSize);
  return hash.digest('hex');
}
