import { Failure } from '../../base/failure.ts';
import { networkErrorCodeOf } from '../../base/network/network-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** Codes of temporary failures. The statuses 429, and 500 and above, are also temporary. */
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
]);

const MISSING_CODES: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound']);

/** Mistakes in the configuration, by the error code of the store. */
const CONFIGURATION_FAULTS: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'the bucket does not exist'],
  ['InvalidBucketName', 'the bucket name is invalid'],
  ['InvalidAccessKeyId', 'the access key is unknown'],
  ['SignatureDoesNotMatch', 'the secret key does not match the access key, or a proxy changes requests'],
  ['AccessDenied', 'the credentials do not allow this request'],
  ['AllAccessDisabled', 'the credentials do not allow this request'],
  ['AccountProblem', 'there is a problem with the account'],
  ['RequestTimeTooSkewed', 'the clock of this machine or of the store is wrong'],
  ['PermanentRedirect', 'the bucket is in another region'],
  ['AuthorizationHeaderMalformed', 'the region is wrong'],
  ['IllegalLocationConstraintException', 'the region is wrong'],
]);

interface Request {
  readonly bucket: string;
  /** The requested object, if the request is about one. */
  readonly key?: string | undefined;
}

/**
 * Translates an error of the store or the network, and keeps it as the cause. A missing object becomes a
 * Failure `not-found`, a temporary error a Failure `unavailable`. Any other error becomes an `Error` whose
 * message tells the operator what to correct. No message contains a secret.
 */
export function translateS3Error(error: unknown, request: Request): Error {
  if (error instanceof Failure) return error;
  const code = storeCodeOf(error);
  const status = statusOf(error);
  if (MISSING_CODES.has(code)) {
    return new Failure('not-found', `There is no object ${request.key}.`, { cause: error });
  }
  if (UNAVAILABLE_CODES.has(code) || status >= 500 || status === 429) return toUnavailable(error);
  if (status === 0 && networkErrorCodeOf(error) !== undefined) return toUnavailable(error);
  const fault =
    CONFIGURATION_FAULTS.get(code) ?? STATUS_FAULTS.get(status) ?? `it responds with ${code} ${status || ''}`;
  const message = `The object store rejects requests for the bucket ${request.bucket}: ${fault.trimEnd()}.`;
  return new Error(message, { cause: error });
}

/** Used when the response has no error code, such as a response to HEAD, which has no body. */
const STATUS_FAULTS: ReadonlyMap<number, string> = new Map([
  [301, 'the bucket is in another region'],
  [401, 'the credentials are not accepted'],
  [403, 'the credentials do not allow this request, or are wrong'],
]);

export function toUnavailable(cause: unknown): Failure {
  return new Failure('unavailable', 'The object store cannot be reached.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/**
 * The store's error code, even if the error was translated. For other errors the code of the system error, or
 * the error's name.
 */
export function storeCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined && !('$metadata' in error)) return storeCodeOf(error.cause);
  if (error.name !== 'Error' && error.name !== 'SystemError') return error.name;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function statusOf(error: unknown): number {
  // The SDK sets this on every error that comes from a response of the store.
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}
