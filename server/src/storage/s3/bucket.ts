import type { S3Client } from '@aws-sdk/client-s3';
import { SECOND } from '../../base/clock.ts';
import { checkObjectKey, checkObjectPrefix, isObjectKey } from '../object-key.ts';
import { createS3Clients, type S3Clients, type S3Connection } from './clients.ts';
import { translateS3Error } from './failures.ts';

/** Signature version 4 knows no longer life. */
const MAX_SIGNED_SECONDS = 7 * 24 * 3_600;

/** Where probes lie: no key has a segment with a leading dot, so no listing shows them. */
const CHECKS = '.check/';

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

/** The part of a bucket that is ours: keys in, paths out, every fault in our words. */
export class S3Bucket {
  readonly name: string;
  /** Whether parts carry their CRC-32. */
  readonly hasChecksums: boolean;
  /** Of every path that is ours: empty, or with a `/` at its end. */
  readonly root: string;
  /** Of all writes together. */
  partsInFlight = 0;
  readonly #clients: S3Clients;
  readonly #account: string;

  constructor(address: S3Connection, prefix: string) {
    checkObjectPrefix(prefix);
    this.name = address.bucket;
    this.hasChecksums = address.checksums === 'when-supported';
    this.root = prefix === '' ? '' : `${prefix}/`;
    this.#clients = createS3Clients(address);
    const { endpoint, region, credentials } = address;
    this.#account = JSON.stringify([endpoint, region, credentials.accessKeyId]);
  }

  /** Whether the store that has this bucket has the other one too, and lets us into both alike. */
  isSameStore(other: S3Bucket): boolean {
    return this.#account === other.#account;
  }

  location(key: string): Place {
    checkObjectKey(key);
    return { Bucket: this.name, Key: this.root + key };
  }

  probeLocation(name: string): Place {
    return { Bucket: this.name, Key: `${this.probeRoot}${name}` };
  }

  get probeRoot(): string {
    return this.root + CHECKS;
  }

  /** Undefined for what somebody else has put into the bucket. */
  toKey(path: string | undefined): string | undefined {
    if (path?.startsWith(this.root) !== true) return undefined;
    const key = path.slice(this.root.length);
    return isObjectKey(key) ? key : undefined;
  }

  /**
   * Lets the store do something.
   * @param key is named where the store has no such object
   * @throws the reason of the signal; else as translateS3Error says
   */
  async call<T>(
    act: (client: S3Client, options: { abortSignal?: AbortSignal }) => Promise<T>,
    options: { key?: string; signal?: AbortSignal; kind?: 'calls' | 'slowCalls' | 'downloads' } = {},
  ): Promise<T> {
    const { key, signal, kind = 'calls' } = options;
    try {
      signal?.throwIfAborted();
      return await act(this.#clients[kind], signal === undefined ? {} : { abortSignal: signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : translateS3Error(error, { bucket: this.name, key });
    }
  }

  /** The address of a request, with every header of its command bound to it. */
  async sign(
    lifetimeMs: number,
    act: (client: S3Client, options: { readonly expiresIn: number }) => Promise<string>,
  ): Promise<string> {
    const expiresIn = Math.ceil(lifetimeMs / SECOND);
    if (expiresIn < 1 || expiresIn > MAX_SIGNED_SECONDS) {
      throw new RangeError(`No address can be signed for ${lifetimeMs} ms.`);
    }
    return await act(this.#clients.signing, { expiresIn });
  }

  /** Ends the connections that wait for more to do. */
  close(): void {
    for (const client of Object.values(this.#clients)) client.destroy();
  }
}
