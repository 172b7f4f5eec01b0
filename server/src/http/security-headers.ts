import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Headers of every response. They are set here because plugins for that halve the request rate. A response of
 * the API is not a page, so it may not load, frame or run anything; routes that serve a page set their own
 * policy.
 */
export const FIXED_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
};

/**
 * What people send each other as links, the API and signed addresses. A search engine that learns such an
 * address must not list what is there.
 */
const NOT_FOR_SEARCH_ENGINES = /^\/(?:s|l|f|t|transfer|api|_dl|dav)(?:[/?]|$)/;

export function setSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    setFixedHeaders(request, reply);
    done();
  });
}

export function setFixedHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(FIXED_HEADERS).header('x-request-id', request.id);
  if (NOT_FOR_SEARCH_ENGINES.test(request.url)) reply.header('x-robots-tag', 'noindex');
}
