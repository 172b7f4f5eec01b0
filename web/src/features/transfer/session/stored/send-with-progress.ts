import type { HoldallError } from '../../../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../../../client/src/errors/read-error.ts';
import { accessToken } from '../../../../api/session.ts';

interface SentCall {
  readonly method: string;
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob | FormData;
  /** Called with the bytes of the body that were sent. */
  readonly onBytes?: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file or a form as the logged-in user. @throws HoldallError; `signal.reason` */
export async function postWithProgress(
  address: string,
  body: Blob | FormData,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const headers = body instanceof Blob ? { 'content-type': 'application/octet-stream' } : {};
  await sendWithProgress({ method: 'POST', address, headers, body, onBytes, signal });
}

/**
 * Sends a request as the logged-in user and reports its progress, which `fetch` cannot do for uploads.
 * @returns the headers of the answer
 * @throws HoldallError; `signal.reason`
 */
export async function sendWithProgress({
  method,
  address,
  headers = {},
  body,
  onBytes,
  signal,
}: SentCall): Promise<{ readonly header: (name: string) => string | null }> {
  const token = await accessToken();
  return await new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded }) => onBytes?.(loaded);
    const stop = () => request.abort();
    request.onloadend = () => signal.removeEventListener('abort', stop);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300)
        resolve({ header: (name) => request.getResponseHeader(name) });
      else reject(toError(request));
    };
    request.onerror = () => reject(errorOf(0, 'The service cannot be reached.'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    request.send(body);
  });
}

function toError(request: XMLHttpRequest): HoldallError {
  const retryAfterSeconds = Number(request.getResponseHeader('retry-after')) || undefined;
  return errorOf(request.status, readMessage(request.responseText) ?? `HTTP ${request.status}`, {
    retryAfterSeconds,
  });
}

function readMessage(text: string): string | undefined {
  try {
    return JSON.parse(text).msg;
  } catch {
    return undefined;
  }
}
