import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../base/failure.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route serves code that pages of this origin run: scripts, workers, styles. */
    servesCode?: true;
  }
}

/**
 * Headers of every response. They are set here because plugins for them halve the request rate. An API
 * response is not a page, so it may not load, frame or run anything. Routes that serve a page set their own
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
 * Addresses of links that people share, of the API and of signed downloads. A search engine that learns such
 * an address must not list its content.
 */
const NOT_FOR_SEARCH_ENGINES = /^\/(?:s|l|f|t|transfer|api|_dl|dav|drives)(?:[/?]|$)/;

export function setSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    setFixedHeaders(request, reply);
    done();
  });
}

/**
 * The destinations (`Sec-Fetch-Dest`; Fetch, section 2.2.7) of content that a browser runs in a page or
 * embeds as active content. Pictures, media, pages and downloads are not among them.
 */
const CODE = /^(?:script|(?:shared|service)?worker|(?:audio|paint)worklet|style|xslt|manifest|embed|object)$/;

/**
 * Ensures that only the web client's own files run in its pages. `script-src 'self'` allows all addresses of
 * this origin, so markup injected into a page could otherwise run an uploaded script.
 */
export function rejectForeignCode(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'sec-fetch-dest': destination } = request.headers;
    const isCode = typeof destination === 'string' && CODE.test(destination);
    if (!isCode || request.is404 || request.routeOptions.config.servesCode === true) return done();
    done(new Failure('forbidden', 'Pages cannot run what is at this address.'));
  });
}

export function setFixedHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(FIXED_HEADERS).header('x-request-id', request.id);
  if (NOT_FOR_SEARCH_ENGINES.test(request.url)) reply.header('x-robots-tag', 'noindex');
}
