import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SECOND } from '../../base/clock.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where a bucket is and how one speaks to it. */
export interface S3Connection {
  /** As this program reaches the store; undefined for Amazon's own. */
  readonly endpoint?: string | undefined;
  /** As clients reach it, where that differs: only signed addresses are made with it. */
  readonly publicEndpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** The bucket in the path of an address, not in its host name. */
  readonly forcePathStyle: boolean;
  readonly credentials: S3Credentials;
  /**
   * Whether requests and answers carry the newer checksums of S3 (CRC-32 here). Stores that do not know them refuse or
   * ignore them.
   */
  readonly checksums: 'when-required' | 'when-supported';
  /** How host names are looked up, where not as usual. */
  readonly lookup?: LookupFunction | undefined;
}

/** What is asked of the store decides how long its silence is borne. */
export interface S3Clients {
  /** For requests that the store answers as soon as it has them. */
  readonly calls: S3Client;
  /** For requests over which a store may brood: it puts large objects together, or copies them. */
  readonly slowCalls: S3Client;
  /** For answers that are read as slowly as their reader likes. */
  readonly downloads: S3Client;
  /** For signed addresses; sends nothing. */
  readonly signing: S3Client;
}

const MAX_ATTEMPTS = 3;
const CONNECT_MS = 5 * SECOND;
const SILENCE_MS = 30 * SECOND;
const SLOW_SILENCE_MS = 300 * SECOND;

/** Every download holds a socket for as long as it takes; more than these wait. */
const MAX_SOCKETS = 512;

export function createS3Clients(address: S3Connection): S3Clients {
  const { lookup } = address;
  const sockets = { keepAlive: true, maxSockets: MAX_SOCKETS, ...(lookup === undefined ? {} : { lookup }) };
  const agents = { httpAgent: new HttpAgent(sockets), httpsAgent: new HttpsAgent(sockets) };
  const clientWith = (timeouts: { socketTimeout?: number; requestTimeout?: number }) =>
    new S3Client({
      ...clientConfig(address, address.endpoint),
      ...checksumModes(address.checksums),
      requestHandler: new NodeHttpHandler({
        ...agents,
        ...timeouts,
        connectionTimeout: CONNECT_MS,
        throwOnRequestTimeout: true,
        // It says on the console when all sockets are taken.
        logger: SILENT_LOGGER,
      }),
    });
  return {
    calls: clientWith({ socketTimeout: SILENCE_MS }),
    slowCalls: clientWith({ socketTimeout: SLOW_SILENCE_MS }),
    // A time-out of the socket would also strike while the reader is slow; the stream has one of its own.
    downloads: clientWith({ requestTimeout: SILENCE_MS }),
    signing: new S3Client({
      ...clientConfig(address, address.publicEndpoint ?? address.endpoint),
      // What is sent is not known here: a checksum in the address would be that of no bytes.
      ...checksumModes('when-required'),
    }),
  };
}

/** How long a download may give nothing while its reader waits. */
export const DOWNLOAD_SILENCE_MS = SILENCE_MS;

function clientConfig(address: S3Connection, endpoint: string | undefined): S3ClientConfig {
  return {
    region: address.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    credentials: address.credentials,
    forcePathStyle: address.forcePathStyle,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    // The settings of this program decide, not what lies about in the environment for other programs.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    // It costs a round trip for every part, and a connection of its own.
    expectContinueHeader: false,
  };
}

function checksumModes(
  checksums: S3Connection['checksums'],
): Pick<S3ClientConfig, 'requestChecksumCalculation' | 'responseChecksumValidation'> {
  const mode = checksums === 'when-supported' ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED';
  return { requestChecksumCalculation: mode, responseChecksumValidation: mode };
}

const SILENT_LOGGER = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
