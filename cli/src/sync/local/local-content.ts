// Opens files of the tree for reading. A symbolic link that has replaced a file or directory since the disk
// was read is not followed: it could lead out of the synced directory, and a file from elsewhere would be
// sent to the drive.
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openAsBlob, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ConflictError, type PieceSource, SMALL_UPLOAD_BYTES } from '../../../../client/src/client.ts';
import { isSameIdentity } from '../rules/disk-identity.ts';
import { findDiskFacts, toDiskFacts } from './disk-facts.ts';

// Windows has only the first of these flags.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
/** Does not wait for the writer of a named pipe either. */
const FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const DIRECTORY_FLAGS = O_RDONLY | O_NOFOLLOW | O_DIRECTORY;

/**
 * Linux lists the files and directories that this process has open here, by their descriptors. Below an open
 * directory, paths lead to what is in that directory.
 */
const OPEN_FILES = '/proc/self/fd';
/** Linux only. Node.js has no other way to open something in a directory that is open already. */
const HAS_OPEN_FILES = process.platform === 'linux' && existsSync(OPEN_FILES);

const PIECE_BYTES = 1_048_576;

/** The content of a file that is open. To be closed by the caller. */
export interface LocalContent {
  /** For the upload of a new file. */
  readonly source: PieceSource | Uint8Array<ArrayBuffer>;
  /**
   * Whether {@link toBody} opens the path a second time. Then the service must compare the checksum of the
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
  /** Below the root, as the disk spells it. */
  readonly localPath: string;
  readonly size: number;
  /** Throws if a directory above is not the known one. */
  readonly checkAbove: () => void;
}

/**
 * Opens a file. On Linux no concurrent change can lead to a file elsewhere. Other systems cannot open a file
 * from its directory, so there the directories above are looked at before and after.
 * @throws ConflictError if a symbolic link or something else has taken the place of the file or of a directory above;
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

/** The directory of a file, opened name by name. */
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
  if (!facts.isFile) throw new ConflictError('It is no file any more.');
  if (hasOpenFiles) return;
  const found = findDiskFacts(file);
  if (found === undefined || !isSameIdentity(found, facts))
    throw new ConflictError('The file was replaced meanwhile.');
  checkAbove();
}

/** With a sentence for the errors that a symbolic link causes. */
function toConflict(error: unknown, localPath: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ELOOP' && code !== 'ENOTDIR') return error;
  return new ConflictError(`A symbolic link has taken the place of ${localPath}, or of a directory above.`, {
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

  /** @param again a path by which the file can be opened again */
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
        // After the reading, because the file may be changed in the middle of it.
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

  /** The number of bytes that were read: fewer at the end of the file. */
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
