import { Failure } from '../../base/failure.ts';

const RETRY_AFTER_SECONDS = 5;

/** The store is there, but not now. Beside these: every status of 500 and above, and 429. */
const UNAVAILABLE_CODES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'Throttling',
  'ThrottlingException',
  'TooManyRequests',
  'OperationAborted',
  'QuotaExceeded',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPROTO',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

const MISSING_CODES: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound']);

/** What the operator has set wrong, by the store's code. */
const WRONG_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'there is no such bucket'],
  ['InvalidBucketName', 'this is no name of a bucket'],
  ['InvalidAccessKeyId', 'it does not know the access key'],
  [
    'SignatureDoesNotMatch',
    'the secret key does not belong to the access key, or a proxy changes the request',
  ],
  ['AccessDenied', 'these credentials may not do that'],
  ['AllAccessDisabled', 'these credentials may not do that'],
  ['AccountProblem', 'there is a problem with the account'],
  ['RequestTimeTooSkewed', 'the clock of this machine or of the store is wrong'],
  ['PermanentRedirect', 'the bucket lies in another region'],
  ['AuthorizationHeaderMalformed', 'the region is wrong'],
  ['IllegalLocationConstraintException', 'the region is wrong'],
]);

interface Request {
  readonly bucket: string;
  /** The object that was asked for, if one was. */
  readonly key?: string | undefined;
}

/**
 * Says in our words what came back from the store, with the original as the cause: a `Failure` for what passes or is
 * simply not there, else an `Error` that tells the operator what to put right. No message carries a secret.
 */
export function translateS3Error(error: unknown, request: Request): Error {
  if (error instanceof Failure) return error;
  const code = storeCodeOf(error);
  const status = statusOf(error);
  if (MISSING_CODES.has(code)) {
    return new Failure('not-found', `There is no object ${request.key}.`, { cause: error });
  }
  if (UNAVAILABLE_CODES.has(code) || status >= 500 || status === 429) return toUnavailable(error);
  const fault =
    WRONG_SETTINGS.get(code) ?? WRONG_STATUSES.get(status) ?? `it answers ${code} ${status || ''}`;
  const message = `The object store refuses work on the bucket ${request.bucket}: ${fault.trimEnd()}.`;
  return new Error(message, { cause: error });
}

/** An answer to HEAD has no body, so it has nothing but its status to say. */
const WRONG_STATUSES: ReadonlyMap<number, string> = new Map([
  [301, 'the bucket lies in another region'],
  [401, 'it does not take these credentials'],
  [403, 'these credentials may not do that, or are wrong'],
]);

export function toUnavailable(cause: unknown): Failure {
  return new Failure('unavailable', 'The object store is out of reach.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The store's own word for an error, also for one that was translated; a system error's code; or the error's name. */
export function storeCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined && !('$metadata' in error)) return storeCodeOf(error.cause);
  if (error.name !== 'Error' && error.name !== 'SystemError') return error.name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export function isMissingObject(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'not-found';
}

function statusOf(error: unknown): number {
  // The SDK puts this on every error that is an answer of the store.
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}
