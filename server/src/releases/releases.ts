import type { ByteRange } from '../base/bytes/byte-range.ts';
import type { Clock } from '../base/clock.ts';
import { Failure, isDefiniteFailure } from '../base/failure.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Tx } from '../database/database.ts';
import { ZipFault } from '../formats/zip/reading/fault.ts';
import { readArchive } from '../formats/zip/reading/reader.ts';
import type { ArchiveBytes } from '../formats/zip/reading/windows.ts';
import type { DownloadableFile } from '../http/download/file-download.ts';
import type { Settings } from '../settings/settings.ts';
import {
  deleteRelease,
  findNewestRelease,
  findReleaseByFileName,
  findReleases,
  insertRelease,
} from './queries.ts';
import { isPackageHead, type Release, type ReleaseName } from './release.ts';

export { nameRelease, type Release, type ReleaseName } from './release.ts';

/** How many releases are kept and served. */
const MAX_RELEASES = 5;

export const PACKAGE_TYPE = 'application/vnd.android.package-archive';

/** The marker that every change of the releases writes first. Locking its row serializes these changes. */
const LAST_CHANGE = 'mobile-releases';

/** The caller's own work in the same transaction. */
type TransactionWork = (tx: Tx, release: ReleaseName) => Promise<void>;

interface ReleasesParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly settings: Settings;
  readonly clock: Clock;
}

/**
 * Published Android packages. Each is a blob that a row refers to, so it is counted, migrated and checked
 * like users' files. Its kind is FILE, because the API has a fixed list of kinds.
 */
export class Releases {
  readonly #parts: ReleasesParts;

  constructor(parts: ReleasesParts) {
    this.#parts = parts;
  }

  list(): Promise<readonly Release[]> {
    return findReleases(this.#parts.database.db);
  }

  /** The release with the highest version code. @throws Failure `not-found` */
  async getNewest(): Promise<Release> {
    return (await findNewestRelease(this.#parts.database.db)) ?? noSuchRelease();
  }

  /** @throws Failure `not-found` */
  async get(fileName: string): Promise<Release> {
    return (await findReleaseByFileName(this.#parts.database.db, fileName)) ?? noSuchRelease();
  }

  toFile({ fileName, size, sha256, place, releasedAt }: Release): DownloadableFile {
    return {
      name: fileName,
      contentType: PACKAGE_TYPE,
      size,
      etag: sha256 ?? place.objectKey.replaceAll('/', '-'),
      modifiedAt: releasedAt,
      open: (range) => this.#parts.blobs.open(place, range),
      read: (range) => this.#parts.blobs.read(place, range),
    };
  }

  /**
   * Stores a package and publishes it. Keeps the {@link MAX_RELEASES} releases with the highest version
   * codes, and removes the others.
   * @returns the file names of the removed releases
   * @throws Failure `conflict` if the version is already published; `rejected` if it is not a package, or
   *   older than all kept releases; `over-limit`; the reason of the signal
   */
  async publish(
    name: ReleaseName,
    source: AsyncIterable<Uint8Array>,
    options: { alsoDo: TransactionWork; signal?: AbortSignal; onProgress?: (bytes: number) => void },
  ): Promise<readonly string[]> {
    checkPublishable(name, await this.list());
    const { alsoDo, ...writing } = options;
    const maxBytes = await this.#parts.blobs.getMaxObjectBytes();
    const stored = await this.#parts.blobs.write(checked(source), { ...writing, maxBytes });
    try {
      const bytes = {
        size: stored.size,
        open: (range: ByteRange) => this.#parts.blobs.open(stored, range),
        read: (range: ByteRange) => this.#parts.blobs.read(stored, range),
      };
      await checkPackage(bytes, options.signal);
      return await this.#parts.database.transact(async (tx) => {
        await this.#parts.settings.putMarker(tx, LAST_CHANGE, name.fileName);
        checkPublishable(name, await findReleases(tx));
        const blob = { ...stored, kind: 'FILE', contentType: PACKAGE_TYPE, createdBy: null } as const;
        const blobId = await this.#parts.blobs.insert(tx, blob);
        await insertRelease(tx, name, blobId, this.#parts.clock.now());
        const surplus = (await findReleases(tx)).slice(MAX_RELEASES);
        for (const release of surplus) await this.#delete(tx, release.versionCode);
        await alsoDo(tx, name);
        return surplus.map(({ fileName }) => fileName);
      });
    } catch (error) {
      if (isDefiniteFailure(error)) await this.#parts.blobs.discard([stored]);
      throw error;
    }
  }

  /** @throws Failure `not-found` */
  async remove(versionCode: number, alsoDo: TransactionWork): Promise<ReleaseName> {
    return this.#parts.database.transact(async (tx) => {
      await this.#parts.settings.putMarker(tx, LAST_CHANGE, `-${versionCode}`);
      const release = (await findReleases(tx)).find((each) => each.versionCode === versionCode);
      if (release === undefined) return noSuchRelease();
      await this.#delete(tx, versionCode);
      await alsoDo(tx, release);
      return release;
    });
  }

  async #delete(tx: Tx, versionCode: number): Promise<void> {
    const blobId = await deleteRelease(tx, versionCode);
    if (blobId !== undefined) await this.#parts.blobs.dropReference(tx, blobId);
  }
}

/** Called before the bytes are stored, so that a large upload fails early, and again in the transaction. */
function checkPublishable({ versionCode, fileName }: ReleaseName, kept: readonly Release[]): void {
  if (kept.some((release) => release.versionCode === versionCode)) {
    throw new Failure('conflict', `The version code ${versionCode} is published already.`);
  }
  if (kept.some((release) => release.fileName === fileName)) {
    throw new Failure('conflict', `${fileName} is published already, with another version code.`);
  }
  const oldest = kept[MAX_RELEASES - 1];
  if (oldest !== undefined && versionCode < oldest.versionCode) {
    throw new Failure(
      'rejected',
      `Only the newest ${MAX_RELEASES} releases are kept, and all of them have higher version codes than ${versionCode}.`,
    );
  }
}

/** Passes on the bytes, but fails as soon as they cannot be a package. @throws Failure `rejected` */
async function* checked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head !== undefined) {
      head = Buffer.concat([head, chunk.subarray(0, 4)]);
      if (head.length >= 4) {
        if (!isPackageHead(head)) throw notAPackage();
        head = undefined;
      }
    }
    yield chunk;
  }
  if (head !== undefined) throw notAPackage();
}

function noSuchRelease(): never {
  throw new Failure('not-found', 'There is no such release.');
}

/** Nothing is unpacked, so any compression ratio is harmless. */
const LIMITS = { maxEntries: 100_000, maxRatio: Number.POSITIVE_INFINITY };

/** Every package has this file at the top level. A bundle for an app store (AAB) has it in a directory. */
const MANIFEST = 'AndroidManifest.xml';

/**
 * Checks that the bytes are a complete ZIP archive with a manifest. The directory of an archive is at its
 * end, so an incomplete package does not pass.
 * @throws Failure `rejected`; the reason of the signal
 */
async function checkPackage(bytes: ArchiveBytes, signal?: AbortSignal): Promise<void> {
  try {
    const { entries } = await readArchive(bytes, LIMITS, { signal });
    if (entries.some(({ name, isDirectory, size }) => name === MANIFEST && !isDirectory && size > 0)) return;
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    throw notAPackage(error.message, error);
  }
  throw notAPackage(`It has no ${MANIFEST}.`);
}

function notAPackage(reason?: string, cause?: ZipFault): Failure {
  const sentence = 'This is not an Android package (APK).';
  return new Failure('rejected', reason === undefined ? sentence : `${sentence} ${reason}`, { cause });
}
