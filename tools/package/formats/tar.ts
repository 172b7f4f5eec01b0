// Archives in the ustar format (POSIX.1-1988), which every tar and dpkg reads. The same files produce
// the same bytes: entries are sorted, belong to root, and have the same time.
import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import type { PackedFile } from './packed-file.ts';

/**
 * @param modifiedAt of every entry, in seconds
 * @param directories empty directories, without a trailing slash
 * @throws Error if a path is too long
 */
export async function writeTar(
  files: readonly PackedFile[],
  modifiedAt: number,
  directories: readonly string[] = [],
): Promise<Buffer> {
  const parents = [...directories, ...files.map((file) => file.path)].flatMap(parentsOf);
  const entries = [
    ...[...new Set([...parents, ...directories])].map((path) => ({
      path: `${path}/`,
      type: 'directory' as const,
      mode: 0o755,
      bytes: Buffer.alloc(0),
    })),
    ...files.map(({ path, bytes, isExecutable = false, mode }) => ({
      path,
      type: 'file' as const,
      mode: mode ?? (isExecutable ? 0o755 : 0o644),
      bytes,
    })),
  ].sort((one, other) => (one.path < other.path ? -1 : 1));
  const ofAll = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime: new Date(modifiedAt * 1_000) };
  const archive = pack();
  for (const { path, bytes, ...header } of entries) {
    if (!fits(path)) throw new Error(`The path does not fit into the archive: ${path}`);
    archive.entry({ ...ofAll, ...header, name: path }, bytes);
  }
  archive.finalize();
  return await buffer(archive);
}

/** The files of an archive by path, without other entries. @throws Error for a damaged archive */
export async function readTar(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const bytes = await buffer(entry);
    if (entry.header.type === 'file') files.set(entry.header.name, bytes);
  }
  return files;
}

/**
 * A header has room for a name of 100 ASCII bytes and for 155 bytes of directories. For longer paths, the
 * library would write extended headers, which dpkg can't read.
 */
function fits(path: string): boolean {
  if (!/^[\x20-\x7e]+$/.test(path)) return false;
  const cuts = [...path.slice(0, -1).matchAll(/\//g)].map(({ index }) => index);
  return path.length <= 100 || cuts.some((cut) => cut <= 155 && path.length - cut - 1 <= 100);
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
