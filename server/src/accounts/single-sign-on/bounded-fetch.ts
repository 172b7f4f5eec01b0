import type { CustomFetch, CustomFetchOptions } from 'openid-client';
import { Semaphore } from '../../base/concurrency/semaphore.ts';
import { Failure } from '../../base/failure.ts';

/** Documents of providers have some kilobytes; one with many keys, or many claims, has more. */
const MAX_BODY_BYTES = 1024 ** 2;

/** Requests at the same time, and how many may wait. */
const MAX_RUNNING = 16;
const MAX_WAITING = 256;

/**
 * Makes the requests to the provider. They follow no redirects, have a time limit (the signal of the caller), and
 * their answers are limited.
 */
export function boundFetch(maxBodyBytes = MAX_BODY_BYTES): CustomFetch {
  const running = new Semaphore(MAX_RUNNING, MAX_WAITING);
  return (url, options) => running.run(() => fetchWhole(url, options, maxBodyBytes), options.signal);
}

/** @throws Failure `unavailable` if there is no whole answer, or the provider reports a fault of its own */
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
