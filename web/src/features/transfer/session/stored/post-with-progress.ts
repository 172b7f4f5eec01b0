import { ApiError } from '../../../../api/api-error.ts';
import { accessToken } from '../../../../api/session.ts';

/**
 * Sends a file or a form as the logged-in user, with its progress: `fetch` tells nothing of how far it is.
 * @param onBytes called with the bytes of the body that were sent
 * @throws ApiError; `signal.reason`
 */
export async function postWithProgress(
  address: string,
  body: Blob | FormData,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const token = await accessToken();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream');
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded }) => onBytes(loaded);
    request.onload = () => {
      if (request.status === 200) resolve();
      else reject(toError(request));
    };
    request.onerror = () => reject(new ApiError(0, 'The service cannot be reached.'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) reject(signal.reason);
    else request.send(body);
  });
}

function toError(request: XMLHttpRequest): ApiError {
  const retryAfter = Number(request.getResponseHeader('retry-after')) || undefined;
  return new ApiError(request.status, readMessage(request.responseText) ?? `HTTP ${request.status}`, {
    retryAfter,
  });
}

function readMessage(text: string): string | undefined {
  try {
    return JSON.parse(text).msg;
  } catch {
    return undefined;
  }
}
