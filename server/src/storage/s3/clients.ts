import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SECOND } from '../../base/clock.ts';

/** The address of a bucket, and the settings of the connection to it. */
export interface S3Connection {
  /** The URL at which this server reaches the store; undefined for Amazon S3. */
  readonly endpoint?: string | undefined;
  /** The URL at which clients reach the store, if it differs from `endpoint`. Only signed URLs use it. */
  readonly publicEndpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Whether URLs have the bucket in the path instead of the host name. */
  readonly forcePathStyle: boolean;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /**
   * Whether requests and responses carry the newer checksums of S3 (CRC-32 here). Stores that do not support
   * them reject or ignore such requests.
   */
  readonly checksums: 'when-required' | 'when-supported';
  /** Resolves host names; the system's resolver if undefined. */
  readonly lookup?: LookupFunction | undefined;
  /**
   * Called after each attempt to send a request, with the operation and whether the store answered properly.
   */
  readonly onCall?: OnS3Call | undefined;
}

export type OnS3Call = (operation: string, isOk: boolean, seconds: number) => void;

/** One client per kind of request, since the kinds need different timeouts. */
export interface S3Clients {
  /** For requests that the store answers quickly. */
  readonly calls: S3Client;
  /** For requests that may take the store minutes: completing large multipart uploads, and copying. */
  readonly slowCalls: S3Client;
  /** For responses that a reader may read arbitrarily slowly. */
  readonly downloads: S3Client;
  /** For signing URLs; sends nothing. */
  readonly signing: S3Client;
}

const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 5 * SECOND;
const CALL_TIMEOUT_MS = 30 * SECOND;
const SLOW_CALL_TIMEOUT_MS = 300 * SECOND;

/** Each download holds a socket until it ends. Further requests wait for a free socket. */
const MAX_SOCKETS = 512;

export function createS3Clients(connection: S3Connection): S3Clients {
  const { lookup, onCall } = connection;
  const sockets = { keepAlive: true, maxSockets: MAX_SOCKETS, ...(lookup === undefined ? {} : { lookup }) };
  const agents = { httpAgent: new HttpAgent(sockets), httpsAgent: new HttpsAgent(sockets) };
  const clientWith = (timeouts: { socketTimeout?: number; requestTimeout?: number }) => {
    const client = new S3Client({
      ...clientConfig(connection, connection.endpoint),
      ...checksumModes(connection.checksums),
      requestHandler: new NodeHttpHandler({
        ...agents,
        ...timeouts,
        connectionTimeout: CONNECT_TIMEOUT_MS,
        throwOnRequestTimeout: true,
        // Otherwise the SDK logs to the console when all sockets are in use.
        logger: SILENT_LOGGER,
      }),
    });
    if (onCall !== undefined) reportCalls(client, onCall);
    return client;
  };
  return {
    calls: clientWith({ socketTimeout: CALL_TIMEOUT_MS }),
    slowCalls: clientWith({ socketTimeout: SLOW_CALL_TIMEOUT_MS }),
    // No socket timeout: it would also apply while the reader is slow. `DownloadStream` has its own.
    downloads: clientWith({ requestTimeout: CALL_TIMEOUT_MS }),
    signing: new S3Client({
      ...clientConfig(connection, connection.publicEndpoint ?? connection.endpoint),
      // The bytes are not known when a URL is signed, so the URL must not contain a checksum.
      ...checksumModes('when-required'),
    }),
  };
}

/** Reports the outcome of each attempt, and the time until the head of its response arrived. */
function reportCalls(client: S3Client, onCall: OnS3Call): void {
  client.middlewareStack.add(
    (next, { commandName = 'other' }) =>
      async (args) => {
        const beganAt = performance.now();
        const report = (isOk: boolean) =>
          onCall(commandName.replace(/Command$/, ''), isOk, (performance.now() - beganAt) / SECOND);
        try {
          const result = await next(args);
          report(true);
          return result;
        } catch (error) {
          report(isAnswer(error) || isAborted(error));
          throw error;
        }
      },
    { step: 'finalizeRequest', priority: 'low', name: 'reportCalls' },
  );
}

/**
 * Whether the store works and merely answers that the object is missing, or differs from what was expected.
 */
function isAnswer(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  return status === 404 || status === 412;
}

/** Whether the caller has given up. A timeout of the store has a different error name. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** How long a reader may wait for the next bytes of a download. */
export const DOWNLOAD_TIMEOUT_MS = CALL_TIMEOUT_MS;

function clientConfig(connection: S3Connection, endpoint: string | undefined): S3ClientConfig {
  return {
    region: connection.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    credentials: connection.credentials,
    forcePathStyle: connection.forcePathStyle,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    // Ignore settings for other programs in the environment or in AWS configuration files.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    // `Expect: 100-continue` would cost a round trip and a separate connection per part.
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
