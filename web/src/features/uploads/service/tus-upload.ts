import {
  DetailedError,
  type HttpRequest,
  type PreviousUpload,
  Upload,
  type UploadOptions,
} from 'tus-js-client';
import type { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { endRefusedSession } from '../../../api/session.ts';
import { StallTimer } from './put-bytes.ts';
import type { Watch } from './upload-service.ts';

/** The maximum size of a request. Some proxies reject larger ones. */
const MAX_BYTES = 64 * 1024 ** 2;

/** The options that differ between uploads. */
interface TusTarget {
  readonly options: Pick<
    UploadOptions,
    | 'endpoint'
    | 'uploadUrl'
    | 'metadata'
    | 'fingerprint'
    | 'uploadDataDuringCreation'
    | 'onBeforeRequest'
    | 'storeFingerprintForResuming'
  >;
  /** Finds an upload of an earlier visit to resume. */
  readonly findPrevious?: (upload: Upload) => Promise<PreviousUpload | undefined>;
  /** Whether stopping for that reason also deletes the upload from the service. */
  readonly isFinal?: (reason: unknown) => boolean;
}

/**
 * Sends a file with the tus protocol, starting at the offset that the service reports. Retrying is left to
 * the caller.
 *
 * @throws HoldallError; `signal.reason`
 */
export async function runTusUpload(
  file: File,
  { options, findPrevious, isFinal }: TusTarget,
  { signal, onProgress }: Watch,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.throwIfAborted();
  const upload = new Upload(file, {
    chunkSize: MAX_BYTES,
    retryDelays: null,
    removeFingerprintOnSuccess: true,
    ...options,
    onProgress: (bytes, all) => {
      if (bytes < all) stallTimer.restart();
      else stallTimer.stop();
      onProgress(bytes);
    },
    onSuccess: () => {
      stallTimer.stop();
      resolve();
    },
    onError: (error) => {
      stallTimer.stop();
      reject(toError(error));
    },
  });
  const previous = await findPrevious?.(upload);
  signal.throwIfAborted();
  if (previous !== undefined) upload.resumeFromPreviousUpload(previous);
  const stallTimer = new StallTimer(() => {
    void upload.abort();
    reject(errorOf(0, 'The service says nothing any more.'));
  });
  signal.addEventListener('abort', () => {
    stallTimer.stop();
    // If the service is unreachable, the partial upload expires by itself.
    void upload.abort(isFinal?.(signal.reason) === true).catch(() => undefined);
    reject(signal.reason);
  });
  upload.start();
  return promise;
}

function toError(error: Error): HoldallError {
  const cause = { cause: error };
  if (!(error instanceof DetailedError) || error.originalResponse === null)
    return errorOf(0, error.message, cause);
  const response = error.originalResponse;
  const status = response.getStatus();
  if (status === 401) {
    endRefusedSession(readToken(error.originalRequest), (name) => response.getHeader(name));
  }
  // More bytes have arrived than was reported, or the name was taken. The next attempt finds out which.
  const isAhead = status === 409 && error.originalRequest.getMethod() === 'PATCH';
  // The session has ended meanwhile. The next attempt creates another.
  const isGone = status === 410 || (status === 400 && error.originalRequest.getMethod() === 'PATCH');
  if (isAhead || isGone) return errorOf(500, error.message, cause);
  const retryAfterSeconds = Number(response.getHeader('retry-after')) || undefined;
  return errorOf(status, readMessage(response.getBody()), { ...cause, retryAfterSeconds });
}

/** The token that `onBeforeRequest` has set; undefined for visitors. */
function readToken(request: HttpRequest): string | undefined {
  return request.getHeader('Authorization')?.replace(/^Bearer /, '');
}

/** The service's message; a response to HEAD has none. */
function readMessage(body: string): string {
  try {
    return String(JSON.parse(body).msg);
  } catch {
    return 'The upload was refused.';
  }
}
