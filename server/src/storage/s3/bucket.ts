import type { S3Client } from '@aws-sdk/client-s3';
import { SECOND } from '../../base/clock.ts';
import { checkObjectKey, checkObjectPrefix, isObjectKey } from '../object-key.ts';
import { createS3Clients, type S3Clients, type S3Connection } from './clients.ts';
import { translateS3Error } from './failures.ts';

/** The maximum lifetime of a URL with signature version 4. */
const MAX_SIGNED_SECONDS = 7 * 24 * 3_600;

/** The prefix of probes. Keys have no segment with a leading dot, so listings never contain probes. */
const PROBE_PREFIX = '.check/';

interface ObjectLocation {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * The part of a bucket that one store uses: maps keys to paths in the bucket, sends requests, and translates
 * errors.
 */
export class S3Bucket {
  readonly name: string;
  /** Whether uploads carry a CRC-32 that the store verifies. */
  readonly hasChecksums: boolean;
  /** The prefix of all paths of this store: empty, or with a trailing `/`. */
  readonly root: string;
  /** The number of parts that all streamed writes together are sending now. */
  partsInFlight = 0;
  readonly #clients: S3Clients;
  readonly #account: string;

  constructor(connection: S3Connection, prefix: string) {
    checkObjectPrefix(prefix);
    this.name = connection.bucket;
    this.hasChecksums = connection.checksums === 'when-supported';
    this.root = prefix === '' ? '' : `${prefix}/`;
    this.#clients = createS3Clients(connection);
    const { endpoint, region, credentials } = connection;
    this.#account = JSON.stringify([endpoint, region, credentials.accessKeyId]);
  }

  /** Whether both buckets are in the same store and are accessed with the same key. */
  isSameStore(other: S3Bucket): boolean {
    return this.#account === other.#account;
  }

  /** The location of an object. @throws Error for an invalid key */
  location(key: string): ObjectLocation {
    checkObjectKey(key);
    return { Bucket: this.name, Key: this.root + key };
  }

  probeLocation(name: string): ObjectLocation {
    return { Bucket: this.name, Key: `${this.probeRoot}${name}` };
  }

  get probeRoot(): string {
    return this.root + PROBE_PREFIX;
  }

  /** The key of an object; undefined for an object that this program did not store. */
  toKey(path: string | undefined): string | undefined {
    if (path?.startsWith(this.root) !== true) return undefined;
    const key = path.slice(this.root.length);
    return isObjectKey(key) ? key : undefined;
  }

  /**
   * Sends a request to the store.
   * @param options.key names the object in the message of a `not-found` failure
   * @throws the reason of the signal; otherwise see `translateS3Error`
   */
  async call<T>(
    send: (client: S3Client, options: { abortSignal?: AbortSignal }) => Promise<T>,
    options: { key?: string; signal?: AbortSignal; kind?: 'calls' | 'slowCalls' | 'downloads' } = {},
  ): Promise<T> {
    const { key, signal, kind = 'calls' } = options;
    try {
      signal?.throwIfAborted();
      return await send(this.#clients[kind], signal === undefined ? {} : { abortSignal: signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : translateS3Error(error, { bucket: this.name, key });
    }
  }

  /** Signs the URL of a request. All headers of the command are part of the signature. */
  async sign(
    lifetimeMs: number,
    signUrl: (client: S3Client, options: { readonly expiresIn: number }) => Promise<string>,
  ): Promise<string> {
    const expiresIn = Math.ceil(lifetimeMs / SECOND);
    if (expiresIn < 1 || expiresIn > MAX_SIGNED_SECONDS) {
      throw new RangeError(`A URL cannot be signed for ${lifetimeMs} ms.`);
    }
    return await signUrl(this.#clients.signing, { expiresIn });
  }

  /** Closes idle connections. */
  close(): void {
    for (const client of Object.values(this.#clients)) client.destroy();
  }
}
