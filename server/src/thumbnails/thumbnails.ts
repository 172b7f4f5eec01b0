import { Readable } from 'node:stream';
import { type Clock, SECOND } from '../base/clock.ts';
import { FairSemaphore } from '../base/concurrency/fair-semaphore.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { type Requester, requesterKeyOf } from '../base/network/requester-key.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { findMediaType } from '../formats/media/media-signatures.ts';
import { DEFAULT_CACHE_CONTROL } from '../http/download/file-download.ts';
import type { GeneratedFile } from '../http/download/generated-file.ts';
import type { ObjectLocation } from '../policies/policies.ts';
import type { FreeSpace } from '../storage/disk/file-system/free-space.ts';
import type { ThumbnailQuery } from './contract.ts';
import { DecodingInterrupted, Undecodable } from './decoder/decoding-children.ts';
import { PictureDecoder } from './decoder/picture-decoder.ts';
import { DRAWN_SIDE } from './drawn-side.ts';
import { type FailedPicture, FailedPictures } from './failed-pictures.ts';
import type { PdfPages } from './pages/pdf-pages.ts';
import { SharedJobs } from './shared-jobs.ts';
import { ThumbnailCache } from './thumbnail-cache.ts';
import {
  RENDERING,
  setFurtherThumbnails,
  THUMBNAIL_SIZES,
  type ThumbnailKind,
  type ThumbnailSize,
  type ThumbnailSource,
  thumbnailKindOf,
  thumbnailVersionOf,
} from './thumbnail-version.ts';
import type { VideoFrames } from './video/video-frames.ts';

export { PdfPages } from './pages/pdf-pages.ts';
export { THUMBNAIL_SIZES, type ThumbnailSize, thumbnailVersionOf } from './thumbnail-version.ts';
export { VideoFrames } from './video/video-frames.ts';

/** How many pictures are decoded at the same time. Each has its own process, which may take a gigabyte. */
const MAX_CONCURRENT = 2;

/** How many turns to decode may wait, for all requesters together. */
const MAX_WAITING = 500;

/** For an address with the version: a changed picture has another address. */
const CACHED_FOR_EVER = 'private, max-age=31536000, immutable';

const NOT_A_PICTURE = 'There is no thumbnail of this file.';
const NO_PICTURE = 'The file is not a picture that can be read.';
const RETRY_SECONDS = 5;
const TOO_BUSY = 'The thumbnail could not be made in time.';

/** A file whose thumbnail is wanted. The caller must have checked that the request may read the file. */
export interface Picture extends ThumbnailSource {
  readonly location: ObjectLocation | null;
}

interface ThumbnailsParts {
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The directory of the cache. Only the cache's own folders in it are ever touched. */
  readonly directory: string;
  readonly maxCacheBytes: number;
  /** Watches the disk of the cache. */
  readonly freeSpace: FreeSpace | undefined;
  /** Called when a thumbnail could not be cached. */
  readonly onFault: (error: unknown) => void;
  /** Undefined if videos have no thumbnails. */
  readonly videos?: VideoFrames | undefined;
  /** Undefined if PDFs have no thumbnails. */
  readonly pages?: PdfPages | undefined;
  /** How long decoding may take; only tests set it. */
  readonly decodingMs?: number | undefined;
}

/**
 * Small versions of pictures, and small pictures of documents and videos. They are made in child processes when
 * first requested, and cached on this instance's disk. See `docs/decisions/0012-thumbnails-in-child-processes.md`.
 */
export class Thumbnails {
  readonly #parts: ThumbnailsParts;
  readonly #cache: ThumbnailCache;
  readonly #clock: Clock;
  readonly #failed: FailedPictures;
  readonly #jobs = new SharedJobs<Made>(new FairSemaphore(MAX_CONCURRENT, MAX_WAITING, MAX_CONCURRENT));
  readonly decoder: PictureDecoder;

  constructor(parts: ThumbnailsParts) {
    this.#parts = parts;
    const { directory, maxCacheBytes: maxBytes, clock, ids, decodingMs } = parts;
    this.#cache = new ThumbnailCache({ directory, maxBytes, clock, ids });
    this.#clock = clock;
    this.#failed = new FailedPictures(clock);
    const { videos, pages } = parts;
    setFurtherThumbnails(...(videos ? ['video' as const] : []), ...(pages ? ['pdf' as const] : []));
    this.decoder = new PictureDecoder(decodingMs === undefined ? {} : { decodingMs });
  }

  /**
   * The thumbnail of a file, for `sendGenerated`. It is made when it is loaded. Loading fails with
   *
   * - `unsupported` if there is no picture in the bytes, or decoding it takes too much memory,
   * - `unavailable` if decoding takes too long,
   * - `too-many` if too many turns to decode wait.
   *
   * @throws Failure `unsupported` if the record already shows that the file has no thumbnail
   */
  fileOf(picture: Picture, { size, v }: ThumbnailQuery, requester: Requester): GeneratedFile {
    const version = thumbnailVersionOf(picture);
    const { location } = picture;
    const kind = thumbnailKindOf(picture);
    if (version === null || location === null || kind === undefined)
      throw new Failure('unsupported', NOT_A_PICTURE);
    return {
      name: `${picture.name}.webp`,
      contentType: 'image/webp',
      etag: `${version}-${size}`,
      cacheControl: v === version ? CACHED_FOR_EVER : DEFAULT_CACHE_CONTROL,
      load: (signal) => this.#load({ location, length: picture.size, size, kind }, requester, signal),
    };
  }

  /**
   * Encodes a picture that is not stored as a WebP. It waits for a turn like the thumbnails.
   * @throws Failure `unsupported` if it is not a picture; `unavailable` if decoding takes too long; `too-many`
   */
  async encodePicture(
    bytes: Buffer,
    size: ThumbnailSize,
    requester: Requester,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const contentType = findMediaType(bytes, '') ?? null;
    const source = { name: '', contentType, size: bytes.length, blobId: null };
    if (thumbnailKindOf(source) !== 'picture') throw new Failure('unsupported', NO_PICTURE);
    const wanted = { size, length: bytes.length };
    const work = async (): Promise<Made> =>
      new Map([[size, await this.decoder.decode(wanted, async () => Readable.from([bytes]))]]);
    try {
      const made = await this.#jobs.run(this.#parts.ids.uuid(), requesterKeyOf(requester), work, signal);
      return made.get(size) ?? Buffer.alloc(0);
    } catch (error) {
      if (error instanceof Undecodable) throw new Failure('unsupported', NO_PICTURE, { cause: error });
      if (!(error instanceof DecodingInterrupted)) throw error;
      throw new Failure('unavailable', 'The picture could not be decoded in time.', {
        retryAfterSeconds: RETRY_SECONDS,
        cause: error,
      });
    }
  }

  /** Undefined if PDFs have no thumbnails. */
  get pages(): PdfPages | undefined {
    return this.#parts.pages;
  }

  /** The number of waiting turns to decode. */
  get waitingCount(): number {
    return this.#jobs.waitingCount;
  }

  /** Stops running work, which then fails. */
  async close(): Promise<void> {
    this.#parts.videos?.close();
    await Promise.all([this.decoder.close(), this.#parts.pages?.close()]);
  }

  async #load(wanted: Wanted, requester: Requester, signal: AbortSignal): Promise<Buffer> {
    const cached = await this.#cache.find(keyOf(wanted, wanted.size));
    if (cached !== undefined) return cached;
    this.#checkNotFailed(wanted);
    // Requests for all sizes share one job if the first picture of the file is most of the work.
    const key = isDrawn(wanted) ? objectKeyOf(wanted) : keyOf(wanted, wanted.size);
    const work = async () => (await this.#findMade(wanted)) ?? (await this.#make(wanted));
    const made = await this.#jobs.run(key, requesterKeyOf(requester), work, signal);
    const thumbnail = made.get(wanted.size);
    if (thumbnail === undefined) throw new Error(`No thumbnail of the size ${wanted.size} was made.`);
    return thumbnail;
  }

  /** Finds what another job has made while this request checked the cache and waited for its turn. */
  async #findMade(wanted: Wanted): Promise<Made | undefined> {
    const made = new Map<ThumbnailSize, Buffer>();
    for (const size of isDrawn(wanted) ? THUMBNAIL_SIZES : [wanted.size]) {
      const cached = await this.#cache.find(keyOf(wanted, size));
      if (cached === undefined) return undefined;
      made.set(size, cached);
    }
    return made;
  }

  async #make(wanted: Wanted): Promise<Made> {
    // Another size of the picture may have failed while this one waited.
    this.#checkNotFailed(wanted);
    try {
      const made = await this.#decode(wanted);
      this.#failed.delete(objectKeyOf(wanted));
      for (const [size, thumbnail] of made) await this.#store(keyOf(wanted, size), thumbnail);
      return made;
    } catch (error) {
      const isTimeout = error instanceof DecodingInterrupted;
      if (!isTimeout && !(error instanceof Undecodable)) throw error;
      throw this.#toFailure(this.#failed.add(objectKeyOf(wanted), isTimeout), error);
    }
  }

  /** Makes the thumbnail of a picture, or the thumbnails of a video or a PDF in all sizes. */
  async #decode(wanted: Wanted): Promise<Made> {
    const { size, length, kind, location } = wanted;
    const open = () => this.#parts.blobs.open(location);
    if (!isDrawn(wanted)) {
      const isRaw = kind === 'raw';
      return new Map([[size, await this.decoder.decode({ size, length, isRaw }, open)]]);
    }
    const drawn = await this.#draw(wanted, open);
    const made = new Map<ThumbnailSize, Buffer>();
    for (const each of THUMBNAIL_SIZES) {
      const picture = { size: each, length: drawn.length };
      // Larger thumbnails are the same, because pictures are not enlarged.
      const same = each > DRAWN_SIDE ? made.get(DRAWN_SIDE) : undefined;
      made.set(each, same ?? (await this.decoder.decode(picture, async () => Readable.from([drawn]))));
    }
    return made;
  }

  /** Takes a frame of a video, or draws the first page of a PDF. */
  async #draw({ kind, length }: Wanted, open: () => Promise<Readable>): Promise<Buffer> {
    const { videos, pages, freeSpace } = this.#parts;
    // The temporary file is in the directory of the cache, so it needs room on the same disk.
    if (kind === 'video') await freeSpace?.check(length);
    const program = kind === 'video' ? videos : pages;
    if (program === undefined) throw new Undecodable('No program draws such files.');
    return await program.take(length, open);
  }

  #checkNotFailed(wanted: Wanted): void {
    const failed = this.#failed.find(objectKeyOf(wanted));
    if (failed !== undefined) throw this.#toFailure(failed);
  }

  /**
   * Only the decoder can tell that the bytes are not a picture. A picture that takes too long may be valid.
   */
  #toFailure({ isTimeout, until }: FailedPicture, cause?: unknown): Failure {
    if (!isTimeout) return new Failure('unsupported', NOT_A_PICTURE, { cause });
    const retryAfterSeconds = Math.max(1, Math.ceil((until - this.#clock.now()) / SECOND));
    return new Failure('unavailable', TOO_BUSY, { retryAfterSeconds, cause });
  }

  /** Never throws: a thumbnail that cannot be stored is still sent, and made again when needed. */
  async #store(key: string, thumbnail: Buffer): Promise<void> {
    try {
      await this.#parts.freeSpace?.check(thumbnail.length);
    } catch {
      return;
    }
    try {
      await this.#cache.put(key, thumbnail);
    } catch (error) {
      this.#parts.onFault(error);
    }
  }
}

type Made = ReadonlyMap<ThumbnailSize, Buffer>;

interface Wanted {
  readonly location: ObjectLocation;
  /** The size of the picture in bytes. */
  readonly length: number;
  readonly size: ThumbnailSize;
  readonly kind: ThumbnailKind;
}

/** Whether one picture is drawn for thumbnails of all sizes. */
function isDrawn({ kind }: Wanted): boolean {
  return kind === 'video' || kind === 'pdf';
}

/**
 * Object keys are random and never reused. So a cache older than a restored database never serves other
 * people's pictures. Copies of a file share an object, and so its thumbnail.
 */
function objectKeyOf({ location: { policyId, objectKey } }: Wanted): string {
  return `${policyId} ${objectKey}`;
}

function keyOf(wanted: Wanted, size: ThumbnailSize): string {
  return `${RENDERING} ${size} ${objectKeyOf(wanted)}`;
}
