// Reads directories of this machine while others may change them. Each directory and file is opened once,
// without following a link, and used through its descriptor from then on: the same path may lead elsewhere
// the next time.
import { type Dirent, existsSync } from 'node:fs';
import { constants, type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../base/failure.ts';
import { toFileTime } from '../../base/file-times.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** On Linux, the paths below this directory lead to what the descriptors of this process have opened. */
const OWN_DESCRIPTORS = '/proc/self/fd';
const hasOwnDescriptors = existsSync(OWN_DESCRIPTORS);

/** A file that is open for reading. */
export interface LocalFile {
  readonly handle: FileHandle;
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** A directory that is open. Its owner closes it. */
export class LocalDirectory {
  /** The path as the user has written it. */
  readonly path: string;
  /** The same for each path to this directory: see {@link toIdentity}. */
  readonly identity: string;
  readonly #handle: FileHandle;
  readonly #base: string;

  private constructor(directory: string, handle: FileHandle, identity: string) {
    this.path = directory;
    this.identity = identity;
    this.#handle = handle;
    this.#base = hasOwnDescriptors ? `${OWN_DESCRIPTORS}/${handle.fd}` : directory;
  }

  /** Opens the directory that an operator has named, which may be a link. */
  static async open(directory: string): Promise<LocalDirectory> {
    return await LocalDirectory.#open(directory, directory, O_RDONLY | O_DIRECTORY);
  }

  static async #open(directory: string, place: string, flags: number): Promise<LocalDirectory> {
    const handle = await open(place, flags);
    try {
      return new LocalDirectory(directory, handle, toIdentity(await handle.stat({ bigint: true })));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The entries of the directory, sorted by name. */
  async list(): Promise<readonly Dirent[]> {
    const found = await readdir(this.#base, { withFileTypes: true });
    return found.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** @throws Error with a code if it is not a directory, or is a link to one */
  async openDirectory(name: string): Promise<LocalDirectory> {
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
    return await LocalDirectory.#open(path.join(this.path, name), path.join(this.#base, name), flags);
  }

  /**
   * Opens a file. The caller must close its handle. A pipe does not make the call wait.
   * @throws Failure `rejected` for anything but a regular file; Error with a code for a link
   */
  async openFile(name: string): Promise<LocalFile> {
    const handle = await open(path.join(this.#base, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Failure('rejected', 'It is no regular file any more.');
      return { handle, name, size: stats.size, modifiedAt: toFileTime(stats.mtimeMs) ?? 0 };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Equal for two paths if they lead to the same file or directory. */
export function toIdentity({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
