// Sending bytes that are made while they are sent. Only some browsers can, and only over HTTP/2 or newer.
import { ApiError } from '../../../../api/api-error.ts';
import { accessToken } from '../../../../api/session.ts';

/** Whether this browser and its connection to the service can send streams. */
export function canSendStreams(): boolean {
  return /^h[23]/.test(findProtocol()) && hasStreamBodies();
}

/** The protocol of the last calls, because the page itself may have come out of a cache. */
function findProtocol(): string {
  const calls = performance.getEntriesByType('resource').filter(({ name }) => isCall(name));
  const last = calls.at(-1);
  return last instanceof PerformanceResourceTiming ? last.nextHopProtocol : '';
}

function isCall(address: string): boolean {
  const { origin, pathname } = new URL(address);
  return origin === location.origin && pathname.startsWith('/api/');
}

/** A browser that does not know stream bodies makes a text of the stream, which has a content type. */
function hasStreamBodies(): boolean {
  let isAsked = false;
  const options = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isAsked = true;
      return 'half';
    },
  };
  try {
    const request = new Request(location.href, options);
    return isAsked && !request.headers.has('content-type');
  } catch {
    return false;
  }
}

/** @param onBytes called with the bytes that were given to the browser @throws ApiError; what `chunks` throws */
export async function postStream(
  address: string,
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const token = await accessToken();
  let given = 0;
  let fault: { readonly error: unknown } | undefined;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next().catch((error: unknown) => {
        fault = { error };
        throw error;
      });
      if (done === true) {
        controller.close();
        return;
      }
      controller.enqueue(value);
      given += value.length;
      onBytes(given);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
  const headers: Record<string, string> = { 'content-type': 'application/octet-stream' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  const options = { method: 'POST', headers, body, signal, duplex: 'half' };
  const response = await fetch(address, options).catch((error: unknown) => {
    if (signal.aborted) throw error;
    if (fault !== undefined) throw fault.error;
    throw new ApiError(0, 'The service cannot be reached.');
  });
  if (response.ok) return;
  const { msg } = await response.json().catch(() => ({ msg: undefined }));
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw new ApiError(response.status, typeof msg === 'string' ? msg : `HTTP ${response.status}`, {
    retryAfter,
  });
}
