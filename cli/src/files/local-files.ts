// Reads trees on disk with synchronous calls, which are three times as fast as asynchronous ones.
import { type BigIntStats, type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** A file or directory on disk. */
export interface LocalEntry {
  readonly path: string;
  /** The path with `/` separators, starting with the name of the file or directory where the walk began. */
  readonly relativePath: string;
  readonly isDirectory: boolean;
  /** Bytes; 0 for a directory. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** Changes whenever the content changes, even if size and modification time stay the same. */
  readonly state: string;
}

export interface WalkReports {
  /** Called for entries that are neither files nor directories: symbolic links, sockets, devices. */
  readonly onSkipped: (skipped: string) => void;
  /** Called for entries that cannot be read. The walk continues. */
  readonly onFailed: (failed: string, error: unknown) => void;
}

/** Yields a file, or a directory and everything below it. Each directory comes before its content. */
export async function* walkLocal(
  start: string,
  reports: WalkReports,
): AsyncGenerator<LocalEntry, void, undefined> {
  const name = path.basename(path.resolve(start));
  try {
    // A symbolic link named by the user is followed. Those below it are not.
    const found = statSync(start, { bigint: true });
    if (!found.isDirectory() && !found.isFile()) reports.onSkipped(start);
    else yield* walkEntry(toEntry(start, name, found), reports);
  } catch (error) {
    reports.onFailed(start, error);
  }
}

async function* walkEntry(
  entry: LocalEntry,
  reports: WalkReports,
): AsyncGenerator<LocalEntry, void, undefined> {
  yield entry;
  if (!entry.isDirectory) return;
  for (const child of readChildren(entry.path, reports)) {
    const childPath = path.join(entry.path, child.name);
    if (!child.isDirectory() && !child.isFile()) {
      reports.onSkipped(childPath);
      continue;
    }
    const found = readStats(childPath, reports);
    if (found !== undefined) {
      yield* walkEntry(toEntry(childPath, `${entry.relativePath}/${child.name}`, found), reports);
    }
  }
}

function readChildren(directory: string, { onFailed }: WalkReports): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    onFailed(directory, error);
    return [];
  }
}

function readStats(file: string, { onFailed }: WalkReports): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true });
  } catch (error) {
    onFailed(file, error);
    return undefined;
  }
}

function toEntry(entryPath: string, relativePath: string, found: BigIntStats): LocalEntry {
  const isDirectory = found.isDirectory();
  return {
    path: entryPath,
    relativePath,
    isDirectory,
    size: isDirectory ? 0 : Number(found.size),
    modifiedAt: found.mtime,
    state: [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(':'),
  };
}
