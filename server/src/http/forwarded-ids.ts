import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { TrustedProxies } from './trusted-proxies.ts';

/** A proxy's ids of a request, with which its log and ours can be joined. */
interface ForwardedIds {
  readonly proxyRequestId?: string;
  readonly traceId?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    forwardedIds: ForwardedIds | undefined;
  }
}

const MAX_LENGTH = 128;
const REQUEST_ID = /^[\w.:/+=@-]+$/;
/** W3C Trace Context, section 3.2: version, trace, span and flags. Later versions may be longer. */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** Reads `X-Request-Id` and `traceparent` of trusted proxies. The response repeats `X-Request-Id`. */
export function readForwardedIds(server: FastifyInstance, proxies: TrustedProxies): void {
  server.decorateRequest('forwardedIds', undefined);
  const isTrusted = createTrustCheck(proxies);
  if (isTrusted === undefined) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { 'x-request-id': requestId, traceparent } = request.headers;
    if ((requestId ?? traceparent) === undefined || !isTrusted(request.socket.remoteAddress ?? ''))
      return done();
    const proxyRequestId = match(requestId, REQUEST_ID)?.[0];
    const traceId = match(traceparent, TRACE_PARENT)?.[1];
    request.forwardedIds = { ...(proxyRequestId && { proxyRequestId }), ...(traceId && { traceId }) };
    if (proxyRequestId !== undefined) reply.header('x-request-id', proxyRequestId);
    done();
  });
}

function match(value: unknown, pattern: RegExp): RegExpExecArray | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  return pattern.exec(value) ?? undefined;
}

/** Undefined if no proxy is trusted. */
function createTrustCheck(proxies: TrustedProxies): ((address: string) => boolean) | undefined {
  if (typeof proxies === 'number') return proxies === 0 ? undefined : () => true;
  const list = new BlockList();
  for (const range of proxies) {
    const [address = '', bits] = range.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}
