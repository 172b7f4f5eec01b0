import type { Clock } from '../base/clock.ts';
import { FairSemaphore } from '../base/concurrency/fair-semaphore.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { addressKeyOf } from '../base/network/address-key.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { DEFAULT_CACHE_CONTROL } from '../http/download/file-download.ts';
import type { GeneratedFile } from '../http/download/generated-file.ts';
import type { ObjectLocation } from '../policies/policies.ts';
import type { FreeSpace } from '../storage/disk/free-space.ts';
import type { ThumbnailQuery } from './contract.ts';
import { PictureDecoder, Undecodable } from './decoder/picture-decoder.ts';
import { FailedPictures } from './failed-pictures.ts';
import { SharedJobs } from './shared-jobs.ts';
import { ThumbnailCache } from './thumbnail-cache.ts';
import {
  RENDERING,
  type ThumbnailSize,
  type ThumbnailSource,
  thumbnailVersionOf,
} from './thumbnail-version.ts';

export { THUMBNAIL_SIZES, type ThumbnailSize, thumbnailVersionOf } from './thumbnail-version.ts';

/** Each picture is decoded in a process of its own, which may take a gigabyte. */
const PERMITS = 2;

/** How many pictures may wait, of all requesters. */
const MAX_WAITING = 500;

/** For an address with the version, so that a changed picture has another address. */
const CACHED_FOR_EVER = 'private, max-age=31536000, immutable';

const NOT_A_PICTURE = 'There is no thumbnail of this file.';

/** A file whose thumbnail is wanted. The caller has checked that the request may read the file. */
export interface Picture extends ThumbnailSource {
  readonly location: ObjectLocation | null;
}

/** Who asks. Requesters take turns when many pictures wait. */
export interface ThumbnailRequester {
  readonly accountId: number | undefined;
  readonly address: string;
}

/**
 * Small versions of pictures: made in child processes when they are first requested, and cached on the disk of
 * this instance. See `docs/decisions/0012-thumbnails-in-child-processes.md`.
 */
export class Thumbnails {
  readonly #blobs: Blobs;
  readonly #cache: ThumbnailCache;
  readonly #freeSpace: FreeSpace | undefined;
  readonly #failed: FailedPictures;
  readonly #onFault: (error: unknown) => void;
  readonly #jobs = new SharedJobs<Buffer>();
  readonly #queue = new FairSemaphore(PERMITS, MAX_WAITING, PERMITS);
  readonly decoder: PictureDecoder;

  constructor(parts: {
    blobs: Blobs;
    clock: Clock;
    ids: Ids;
    /** Of the cache. Nothing else may be in it. */
    directory: string;
    maxCacheBytes: number;
    /** Of the disk of the cache. */
    freeSpace: FreeSpace | undefined;
    /** Called when a thumbnail could not be cached. */
    onFault: (error: unknown) => void;
    /** How long decoding may take; for tests. */
    decodingMs?: number | undefined;
  }) {
    const { directory, maxCacheBytes: maxBytes, clock, ids, decodingMs } = parts;
    this.#blobs = parts.blobs;
    this.#cache = new ThumbnailCache({ directory, maxBytes, clock, ids });
    this.#freeSpace = parts.freeSpace;
    this.#failed = new FailedPictures(clock);
    this.#onFault = parts.onFault;
    this.decoder = new PictureDecoder(decodingMs === undefined ? {} : { decodingMs });
  }

  /**
   * The thumbnail of a file, for `sendGenerated`. It is made when it is loaded, which fails with `unsupported` if
   * the bytes are no picture, or take too much time or memory, and with `too-many` when too many pictures wait.
   * @throws Failure `unsupported` if the record says already that the file has no thumbnail
   */
  fileOf(picture: Picture, { size, v }: ThumbnailQuery, requester: ThumbnailRequester): GeneratedFile {
    const version = thumbnailVersionOf(picture);
    const { location } = picture;
    if (version === null || location === null) throw new Failure('unsupported', NOT_A_PICTURE);
    return {
      name: `${picture.name}.webp`,
      contentType: 'image/webp',
      etag: `${version}-${size}`,
      cacheControl: v === version ? CACHED_FOR_EVER : DEFAULT_CACHE_CONTROL,
      load: (signal) => this.#load({ location, length: picture.size, size }, requester, signal),
    };
  }

  /** Ends running work, which fails. */
  async close(): Promise<void> {
    await this.decoder.close();
  }

  async #load(wanted: Wanted, requester: ThumbnailRequester, signal: AbortSignal): Promise<Buffer> {
    const key = keyOf(wanted);
    const cached = await this.#cache.find(key);
    if (cached !== undefined) return cached;
    this.#checkNotFailed(wanted);
    const makeInTurn = (abandoned: AbortSignal, begin: () => void) => {
      const work = () => {
        begin();
        return this.#make(key, wanted);
      };
      return this.#queue.run(requesterKeyOf(requester), work, false, abandoned);
    };
    return await this.#jobs.run(key, makeInTurn, signal);
  }

  async #make(key: string, wanted: Wanted): Promise<Buffer> {
    // The other size may have failed while this one waited.
    this.#checkNotFailed(wanted);
    try {
      const { size, length, location } = wanted;
      const thumbnail = await this.decoder.decode({ size, length }, () => this.#blobs.open(location));
      await this.#store(key, thumbnail);
      return thumbnail;
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      this.#failed.add(objectKeyOf(wanted));
      throw new Failure('unsupported', NOT_A_PICTURE, { cause: error });
    }
  }

  #checkNotFailed(wanted: Wanted): void {
    if (this.#failed.has(objectKeyOf(wanted))) throw new Failure('unsupported', NOT_A_PICTURE);
  }

  /** A thumbnail that cannot be stored is sent all the same, and made again when it is needed. */
  async #store(key: string, thumbnail: Buffer): Promise<void> {
    try {
      await this.#freeSpace?.check(thumbnail.length);
    } catch {
      return;
    }
    try {
      await this.#cache.put(key, thumbnail);
    } catch (error) {
      this.#onFault(error);
    }
  }
}

interface Wanted {
  readonly location: ObjectLocation;
  /** Bytes of the picture. */
  readonly length: number;
  readonly size: ThumbnailSize;
}

/**
 * Keys of objects are random and never used twice, so a cache that is older than a restored database does not
 * serve the pictures of others. Copies of a file have the same object.
 */
function objectKeyOf({ location: { policyId, objectKey } }: Wanted): string {
  return `${policyId} ${objectKey}`;
}

function keyOf(wanted: Wanted): string {
  return `${RENDERING} ${wanted.size} ${objectKeyOf(wanted)}`;
}

function requesterKeyOf({ accountId, address }: ThumbnailRequester): string {
  return accountId === undefined ? `address ${addressKeyOf(address)}` : `account ${accountId}`;
}
