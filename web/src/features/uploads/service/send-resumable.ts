import { DetailedError, Upload } from 'tus-js-client';
import { ApiError } from '../../../api/api-error.ts';
import { accessToken, endSession, hasSession } from '../../../api/session.ts';
import { Stillness } from './put-bytes.ts';
import type { Watch } from './upload-service.ts';

/** One request carries no more: some proxies let no more through. */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * Sends a file to its session by the tus protocol, from where the service says that it stopped. Does not try again by itself:
 * that is the queue's.
 *
 * @throws ApiError; `signal.reason`
 */
export function sendResumable(sessionId: string, file: File, { signal, onProgress }: Watch): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.throwIfAborted();
  const upload = new Upload(file, {
    uploadUrl: `/api/v2/files/tus/${sessionId}`,
    chunkSize: MOST_BYTES,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onBeforeRequest: async (request) => {
      request.setHeader('Authorization', `Bearer ${await accessToken()}`);
    },
    onProgress: (bytes, all) => {
      if (bytes < all) still.push();
      else still.end();
      onProgress(bytes);
    },
    onSuccess: () => {
      still.end();
      resolve();
    },
    onError: (error) => {
      still.end();
      reject(toApiError(error));
    },
  });
  const still = new Stillness(() => {
    void upload.abort();
    reject(new ApiError(0, 'The service says nothing any more.'));
  });
  signal.addEventListener('abort', () => {
    still.end();
    void upload.abort();
    reject(signal.reason);
  });
  upload.start();
  return promise;
}

function toApiError(error: Error): ApiError {
  const cause = { cause: error };
  if (!(error instanceof DetailedError) || error.originalResponse === null)
    return new ApiError(0, error.message, cause);
  const response = error.originalResponse;
  const status = response.getStatus();
  if (status === 401 && hasSession()) endSession();
  // It has got further than we were told, or something has taken the name: the next attempt will know.
  const isAhead = status === 409 && error.originalRequest.getMethod() === 'PATCH';
  // Ended meanwhile: the next attempt asks for a session of its own.
  const isGone = status === 410 || (status === 400 && error.originalRequest.getMethod() === 'PATCH');
  if (isAhead || isGone) return new ApiError(500, error.message, cause);
  const retryAfter = Number(response.getHeader('retry-after')) || undefined;
  return new ApiError(status, readMessage(response.getBody()), { ...cause, retryAfter });
}

/** The service's own sentence; an answer to HEAD has none. */
function readMessage(body: string): string {
  try {
    return String(JSON.parse(body).msg);
  } catch {
    return 'The upload was refused.';
  }
}
