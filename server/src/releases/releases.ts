import type { Clock } from '../base/clock.ts';
import { Failure, isRefusal } from '../base/failure.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Tx } from '../database/database.ts';
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

/** How many packages are served besides each other (contract, section 10). */
export const MOST_KEPT = 5;

export const PACKAGE_TYPE = 'application/vnd.android.package-archive';

/** The row that those who change what is published hold, one after the other. */
const LAST_CHANGE = 'mobile-releases';

/** In the `created_by` of a blob: the command line, which is nobody's account. */
const NOBODY = 0;

/** What the caller wants to be done in the same transaction. */
export type AlsoDo = (tx: Tx, release: ReleaseName) => Promise<void>;

/**
 * Packages for phones. Each is a blob that a row refers to, so it is counted, kept, moved and checked like people's files.
 * Its kind is FILE: the kinds are a list of the contract.
 */
export class Releases {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #settings: Settings;
  readonly #clock: Clock;

  constructor(parts: { database: Database; blobs: Blobs; settings: Settings; clock: Clock }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#settings = parts.settings;
    this.#clock = parts.clock;
  }

  list(): Promise<readonly Release[]> {
    return findReleases(this.#database.db);
  }

  /** The one with the highest version code. @throws Failure `not-found` */
  async getNewest(): Promise<Release> {
    return (await findNewestRelease(this.#database.db)) ?? noSuchRelease();
  }

  /** One that is kept. @throws Failure `not-found` */
  async get(fileName: string): Promise<Release> {
    return (await findReleaseByFileName(this.#database.db, fileName)) ?? noSuchRelease();
  }

  toFile({ fileName, size, sha256, place, releasedAt }: Release): DownloadableFile {
    return {
      name: fileName,
      contentType: PACKAGE_TYPE,
      size,
      etag: sha256 ?? place.objectKey.replaceAll('/', '-'),
      modifiedAt: releasedAt,
      open: (range) => this.#blobs.open(place, range),
      read: (range) => this.#blobs.read(place, range),
    };
  }

  /**
   * Stores a package and publishes it. Of more than are kept the oldest go, by version code.
   * @returns the names of those that went
   * @throws Failure `conflict` when the version is published, `rejected` for what is no package or older than all that
   *   are kept, `over-limit`; the reason of the signal
   */
  async publish(
    name: ReleaseName,
    source: AsyncIterable<Uint8Array>,
    options: { alsoDo: AlsoDo; signal?: AbortSignal; onProgress?: (bytes: number) => void },
  ): Promise<readonly string[]> {
    checkWanted(name, await this.list());
    const { alsoDo, ...writing } = options;
    const maxBytes = await this.#blobs.getMaxObjectBytes();
    const stored = await this.#blobs.write(checked(source), { ...writing, maxBytes });
    try {
      return await this.#database.transact(async (tx) => {
        await this.#settings.putMarker(tx, LAST_CHANGE, name.fileName);
        checkWanted(name, await findReleases(tx));
        const blob = { ...stored, kind: 'FILE', contentType: PACKAGE_TYPE, createdBy: NOBODY } as const;
        const blobId = await this.#blobs.insert(tx, blob);
        await insertRelease(tx, name, blobId, this.#clock.now());
        const gone = (await findReleases(tx)).slice(MOST_KEPT);
        for (const release of gone) await this.#drop(tx, release.versionCode);
        await alsoDo(tx, name);
        return gone.map(({ fileName }) => fileName);
      });
    } catch (error) {
      if (isRefusal(error)) await this.#blobs.discard([stored]);
      throw error;
    }
  }

  /** @throws Failure `not-found` */
  async remove(versionCode: number, alsoDo: AlsoDo): Promise<ReleaseName> {
    return this.#database.transact(async (tx) => {
      await this.#settings.putMarker(tx, LAST_CHANGE, `-${versionCode}`);
      const release = (await findReleases(tx)).find((each) => each.versionCode === versionCode);
      if (release === undefined) return noSuchRelease();
      await this.#drop(tx, versionCode);
      await alsoDo(tx, release);
      return release;
    });
  }

  async #drop(tx: Tx, versionCode: number): Promise<void> {
    const blobId = await deleteRelease(tx, versionCode);
    if (blobId !== undefined) await this.#blobs.dropReference(tx, blobId);
  }
}

/** Asked before the bytes are stored too, for the sake of whoever waits for a large package. */
function checkWanted({ versionCode, fileName }: ReleaseName, kept: readonly Release[]): void {
  if (kept.some((release) => release.versionCode === versionCode)) {
    throw new Failure('conflict', `The version code ${versionCode} is published already.`);
  }
  if (kept.some((release) => release.fileName === fileName)) {
    throw new Failure('conflict', `${fileName} is published already, with another version code.`);
  }
  const oldest = kept[MOST_KEPT - 1];
  if (oldest !== undefined && versionCode < oldest.versionCode) {
    throw new Failure(
      'rejected',
      `Only the newest ${MOST_KEPT} are kept, and all of those have higher version codes than ${versionCode}.`,
    );
  }
}

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

function notAPackage(): Failure {
  return new Failure('rejected', 'This is no Android package (APK).');
}

function noSuchRelease(): never {
  throw new Failure('not-found', 'There is no such release.');
}
