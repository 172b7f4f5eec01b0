import { type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { onAbort, toResponse } from './received-response.ts';

/** A connection on which nothing happens for this long counts as broken. The global `fetch` waits as long. */
const IDLE_MS = 300_000;

/** A `Blob` is read in pieces of this size while it is sent. */
const PIECE_BYTES = 1024 * 1024;

/** With a `location` header, these are redirects. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * A `fetch` based on `node:http`, for the `fetch` option of `Holdall`. For a small request, it takes half of
 * the processor time of the global one, and it copies the bytes of a download less often. It passes requests
 * that it does not support to the global one: forms, streams as bodies, and redirects.
 */
export async function httpFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body } = init;
  const signal = init.signal ?? undefined;
  const url = input instanceof Request ? undefined : toHttpUrl(input);
  if (url === undefined || !canSend(body)) return await fetch(input, init);
  signal?.throwIfAborted();
  const send = url.protocol === 'https:' ? sendHttps : sendHttp;
  const request = send(url, { method, headers: toHeaders(init.headers, body), timeout: IDLE_MS });
  const stopWatching = onAbort(signal, (reason) => request.destroy(reason));
  try {
    const message = await exchange(request, body);
    if (REDIRECTS.has(message.statusCode ?? 0) && message.headers.location !== undefined) {
      request.destroy();
      return await fetch(input, init);
    }
    return await toResponse(message, method, signal);
  } catch (error) {
    request.destroy();
    throw signal?.aborted === true ? signal.reason : error;
  } finally {
    stopWatching();
  }
}

type Body = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | null | undefined;

function toHttpUrl(address: string | URL): URL | undefined {
  const url = typeof address === 'string' ? new URL(address) : address;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function canSend(body: unknown): body is Body {
  if (body === undefined || body === null || typeof body === 'string') return true;
  return body instanceof Uint8Array || body instanceof ArrayBuffer || body instanceof Blob;
}

function toHeaders(given: RequestInit['headers'], body: Body): Record<string, string | number> {
  const headers = given instanceof Headers || Array.isArray(given) ? Object.fromEntries(given) : given;
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'node',
    ...headers,
    // Node.js omits this header for some methods.
    ...(body === undefined || body === null ? {} : { 'content-length': lengthOf(body) }),
  };
}

function lengthOf(body: NonNullable<Body>): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Blob ? body.size : body.byteLength;
}

/** Resolves with the response, whose body is not read yet. It may come before everything is sent. */
function exchange(request: ClientRequest, body: Body): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let message: IncomingMessage | undefined;
    request.on('response', (received) => {
      message = received;
      // The service has rejected the request before it received all of it.
      const isRefused = (received.statusCode ?? 0) >= 400;
      received.on('end', () => void (isRefused && !request.writableFinished && request.destroy()));
      resolve(received);
    });
    request.on('timeout', () => {
      // While the reader does not read, silence is normal.
      if (message?.isPaused() === true) return;
      (message ?? request).destroy(new Error(`Nothing has arrived for ${IDLE_MS / 1_000} s.`));
    });
    request.on('error', reject);
    sendBody(request, body).catch((error: unknown) => {
      reject(error);
      request.destroy();
    });
  });
}

async function sendBody(request: ClientRequest, body: Body): Promise<void> {
  if (body instanceof Blob) {
    for (let start = 0; start < body.size && !request.destroyed; start += PIECE_BYTES) {
      await write(request, new Uint8Array(await body.slice(start, start + PIECE_BYTES).arrayBuffer()));
    }
    request.end();
  } else request.end(body instanceof ArrayBuffer ? new Uint8Array(body) : (body ?? undefined));
}

/** Resolves when the system has accepted the bytes. */
function write(request: ClientRequest, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    request.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
