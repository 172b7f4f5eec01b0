// Opens files of the tree for reading. Symbolic links that replaced a file or directory after the disk was
// read are not followed: they could lead out of the synced directory, and a file from elsewhere would be sent
// to the drive.
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openAsBlob, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ConflictError, type PieceSource, SMALL_UPLOAD_BYTES } from '../../../../client/src/client.ts';
import { isSameIdentity } from '../rules/disk-identity.ts';
import { findDiskFacts, toDiskFacts } from './disk-facts.ts';

// Windows has only the first of these flags.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
/** Also opens a named pipe without waiting for a writer. */
const FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const DIRECTORY_FLAGS = O_RDONLY | O_NOFOLLOW | O_DIRECTORY;

/**
 * Linux lists the open files and directories of this process here, by descriptor. A path below an open
 * directory stays in that directory, even if something else has replaced it.
 */
const OPEN_FILES = '/proc/self/fd';
/** Linux only. Node.js has no other way to open something relative to an open directory. */
const HAS_OPEN_FILES = process.platform === 'linux' && existsSync(OPEN_FILES);

const PIECE_BYTES = 1_048_576;

/** The content of an open file. The caller closes it. */
export interface LocalContent {
  /** For the upload of a new file. */
  readonly source: PieceSource | Uint8Array<ArrayBuffer>;
  /**
   * Whether {@link toBody} opens the path a second time. If so, the service must verify the checksum of the
   * body.
   */
  readonly needsChecksum: boolean;
  /** For the body of one request. */
  toBody(): Promise<Blob | Uint8Array<ArrayBuffer>>;
  /** In hex. @throws Error of the file system */
  computeSha256(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

interface LocalContentPlace {
  readonly root: string;
  /** Relative to the root, spelled as on disk. */
  readonly localPath: string;
  readonly size: number;
  /** Throws if a parent directory is not the known one. */
  readonly checkAbove: () => void;
}

/**
 * Opens a file. On Linux no concurrent change can lead to a file elsewhere. Other systems cannot open a file
 * relative to its directory, so the parent directories are checked before and after.
 * @throws ConflictError if a symbolic link or something else has replaced the file or a parent directory;
 *   Error of the file system
 */
export async function openLocalContent(
  place: LocalContentPlace,
  hasOpenFiles = HAS_OPEN_FILES,
): Promise<LocalContent> {
  const { root, localPath, size, checkAbove } = place;
  checkAbove();
  const parent = openParent(place, hasOpenFiles);
  try {
    const file = parent.pathOf(path.posix.basename(localPath));
    if (size <= SMALL_UPLOAD_BYTES) return new SmallContent(readSmall(file, place, hasOpenFiles));
    const handle = await open(file, FILE_FLAGS);
    try {
      checkOpened(handle.fd, file, place, hasOpenFiles);
      const again = hasOpenFiles ? `${OPEN_FILES}/${handle.fd}` : path.join(root, localPath);
      return await LargeContent.create(handle, again, !hasOpenFiles);
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw toConflict(error, localPath);
  } finally {
    parent.close();
  }
}

/** Opens the directory of a file, one path segment at a time. */
function openParent({ root, localPath }: LocalContentPlace, hasOpenFiles: boolean) {
  const names = localPath.split('/').slice(0, -1);
  if (!hasOpenFiles) {
    return { pathOf: (name: string) => path.join(root, ...names, name), close: () => undefined };
  }
  let directory = openSync(root, DIRECTORY_FLAGS);
  try {
    for (const name of names) {
      const next = openSync(`${OPEN_FILES}/${directory}/${name}`, DIRECTORY_FLAGS);
      closeSync(directory);
      directory = next;
    }
  } catch (error) {
    closeSync(directory);
    throw toConflict(error, localPath);
  }
  return {
    pathOf: (name: string) => `${OPEN_FILES}/${directory}/${name}`,
    close: () => closeSync(directory),
  };
}

/** Uses synchronous calls, because asynchronous ones would take longer than the rest of a small upload. */
function readSmall(file: string, place: LocalContentPlace, hasOpenFiles: boolean): Buffer<ArrayBuffer> {
  const opened = openSync(file, FILE_FLAGS);
  try {
    checkOpened(opened, file, place, hasOpenFiles);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** @throws ConflictError */
function checkOpened(
  opened: number,
  file: string,
  { checkAbove }: LocalContentPlace,
  hasOpenFiles: boolean,
): void {
  const facts = toDiskFacts(fstatSync(opened, { bigint: true }));
  if (!facts.isFile) throw new ConflictError('It is no longer a file.');
  if (hasOpenFiles) return;
  const found = findDiskFacts(file);
  if (found === undefined || !isSameIdentity(found, facts)) throw new ConflictError('The file was replaced.');
  checkAbove();
}

/** Converts the errors that a symbolic link causes to one with a sentence for the user. */
function toConflict(error: unknown, localPath: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ELOOP' && code !== 'ENOTDIR') return error;
  return new ConflictError(`A symbolic link has replaced ${localPath} or one of its parent directories.`, {
    cause: error,
  });
}

class SmallContent implements LocalContent {
  readonly source: Uint8Array<ArrayBuffer>;
  readonly needsChecksum = false;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.source = bytes;
  }

  async toBody(): Promise<Uint8Array<ArrayBuffer>> {
    return this.source;
  }

  async computeSha256(): Promise<string> {
    return createHash('sha256').update(this.source).digest('hex');
  }

  async close(): Promise<void> {}
}

class LargeContent implements LocalContent {
  readonly source: PieceSource;
  readonly needsChecksum: boolean;
  readonly #handle: FileHandle;
  readonly #again: string;

  /** @param again a path through which the file can be opened a second time */
  static async create(handle: FileHandle, again: string, needsChecksum: boolean): Promise<LargeContent> {
    return new LargeContent(handle, again, needsChecksum, await readState(handle));
  }

  private constructor(
    handle: FileHandle,
    again: string,
    needsChecksum: boolean,
    { size, state }: { readonly size: number; readonly state: string },
  ) {
    this.#handle = handle;
    this.#again = again;
    this.needsChecksum = needsChecksum;
    this.source = {
      size,
      readPiece: async (start, into) => {
        const isWhole = (await this.#fill(start, into)) === into.length;
        // Checked after reading, because the file may change while it is read.
        if (!isWhole || (await readState(handle)).state !== state)
          throw new ConflictError('The file was changed while it was read.');
      },
    };
  }

  async toBody(): Promise<Blob> {
    return await openAsBlob(this.#again);
  }

  async computeSha256(signal: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    const piece = new Uint8Array(PIECE_BYTES);
    for (let start = 0; ; ) {
      signal.throwIfAborted();
      const count = await this.#fill(start, piece);
      hash.update(piece.subarray(0, count));
      if (count < piece.length) return hash.digest('hex');
      start += count;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Returns the number of bytes read, which is smaller at the end of the file. */
  async #fill(start: number, into: Uint8Array): Promise<number> {
    for (let filled = 0; ; ) {
      if (filled === into.length) return filled;
      const { bytesRead } = await this.#handle.read(into, filled, into.length - filled, start + filled);
      if (bytesRead === 0) return filled;
      filled += bytesRead;
    }
  }
}

async function readState(handle: FileHandle): Promise<{ readonly size: number; readonly state: string }> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return { size: Number(size), state: `${size}:${mtimeNs}` };
}
