import { ApiError, isPassing } from '../../../api/api-error.ts';
import type { TransferRecord } from '../../../api/contract.ts';
import { accessToken } from '../../../api/session.ts';
import { contentAddress } from './sessions.ts';

/** Three requests fill a line, and leave room for what the page asks besides. */
const AT_ONCE = 3;
const MOST_TRIES = 5;

/**
 * Puts the files of an OFFLINE session into the service.
 * @param onBytes told how much of which file is there
 * @throws ApiError
 */
export async function storeFiles(
  session: TransferRecord,
  files: readonly File[],
  onBytes: (file: number, bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const waiting = session.files.entries();
  const work = async () => {
    for (const [index, { id }] of waiting) {
      const file = files[index];
      if (file === undefined) continue;
      await storeFile(contentAddress(session.sessionId, id), file, (bytes) => onBytes(index, bytes), signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function storeFile(
  address: string,
  file: File,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await postFile(address, file, onBytes, signal);
      onBytes(file.size);
      return;
    } catch (error) {
      if (signal.aborted || attempt === MOST_TRIES || !isPassing(error)) throw error;
      const seconds = (error instanceof ApiError && error.retryAfter) || attempt;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
}

/** `fetch` tells nothing of how far it is. */
async function postFile(
  address: string,
  file: File,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const token = await accessToken();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('content-type', 'application/octet-stream');
    if (token !== undefined) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded }) => onBytes(Math.min(loaded, file.size));
    request.onload = () => {
      if (request.status === 200) resolve();
      else reject(toError(request));
    };
    request.onerror = () => reject(new ApiError(0, 'The service is out of reach.'));
    request.onabort = () => reject(new DOMException('It was ended.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) request.abort();
    else request.send(file);
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
