import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { Semaphore } from '../../base/concurrency/semaphore.ts';
import { Failure } from '../../base/failure.ts';

/** The documents of providers are a few kilobytes long; those with many keys or claims are longer. */
const MAX_BODY_BYTES = 1024 ** 2;

/** How many requests run at the same time, and how many may wait. */
const MAX_RUNNING = 16;
const MAX_WAITING = 256;

/**
 * Makes a `fetch` for the requests to the provider. It follows no redirects, and limits concurrent requests
 * and the length of answers. The signal of the caller limits the time.
 */
export function boundFetch(maxBodyBytes = MAX_BODY_BYTES): CustomFetch {
  const running = new Semaphore(MAX_RUNNING, MAX_WAITING);
  return (url, options) => running.run(() => fetchWhole(url, options, maxBodyBytes), options.signal);
}

/** @throws Failure `unavailable` if the answer is incomplete, or its status is a server error */
async function fetchWhole(url: string, options: CustomFetchOptions, maxBytes: number): Promise<Response> {
  try {
    const response = await fetch(url, toRequestInit(options));
    const body = await readBody(response, maxBytes);
    if (response.status >= 500) throw new Failure('unavailable', `The provider answers ${response.status}.`);
    const { status, headers } = response;
    return new Response(body.length === 0 ? null : body, { status, headers });
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('unavailable', 'The provider cannot be reached.', { cause });
  }
}

function toRequestInit({ method, headers, body, signal }: CustomFetchOptions): RequestInit {
  return {
    method,
    headers,
    redirect: 'manual',
    // The library sends forms only.
    ...(body === undefined || body === null ? {} : { body: String(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > maxBytes) throw new Failure('unavailable', 'The answer of the provider is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
