import { type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import { pipeline } from 'node:stream';

/** Headers that apply to a single connection (RFC 9110, section 7.6.1). */
const REQUEST_CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'upgrade']);
const RESPONSE_CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

const NOT_RUNNING =
  'The service is not running: it is starting, or it has failed. The terminal says which.\n';

/**
 * Forwards a request to a port of this machine, with the path exactly as it was sent, and both bodies as they
 * arrive. Answers 503 if nothing listens there.
 *
 * Vite's own proxy resolves paths such as `/a/../b`, delays the headers of an event stream until its first
 * byte, and never ends a response if the service dies in the middle of it.
 */
export function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const outgoing = startRequest({
    host: '127.0.0.1',
    port,
    // One connection per request, because a restart of the service would close idle ones.
    agent: false,
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: toForwardedHeaders(request),
  });
  outgoing.on('continue', () => response.writeContinue());
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, toResponseHeaders(incoming));
    // The first event of a stream may come much later than its headers.
    response.flushHeaders();
    pipeline(incoming, response, () => {});
  });
  outgoing.on('error', () => {
    // Discards the rest of the body. Otherwise the next request on this connection would never be read.
    request.resume();
    if (response.headersSent || response.destroyed) return;
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' });
    response.end(NOT_RUNNING);
  });
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

function toForwardedHeaders({ headers, socket }: IncomingMessage): NodeJS.Dict<string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !REQUEST_CONNECTION_HEADERS.has(name));
  const { 'x-forwarded-for': before } = headers;
  const addresses = [...(before === undefined ? [] : [before].flat()), socket.remoteAddress ?? ''];
  return { ...Object.fromEntries(kept), 'x-forwarded-for': addresses.join(', ') };
}

/** Alternating names and values, because several headers may have the same name. */
function toResponseHeaders({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)] ?? '';
    return !RESPONSE_CONNECTION_HEADERS.has(name.toLowerCase());
  });
}
