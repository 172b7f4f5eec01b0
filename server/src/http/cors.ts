import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = [
  ...['accept-ranges', 'content-disposition', 'content-range', 'etag', 'retry-after', 'x-request-id'],
  ...['x-service-required', 'x-service-field', 'x-service-session-end'],
  // tus
  ...['location', 'tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'tus-checksum-algorithm'],
  ...['upload-offset', 'upload-length', 'upload-metadata', 'upload-expires'],
  // WebDAV
  ...['allow', 'dav', 'lock-token', 'ms-author-via', 'www-authenticate', 'x-oc-mtime'],
];

/** Lets pages of these origins use the API and WebDAV. */
export async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  // Allows only the methods of mounted routes: those of WebDAV only if WebDAV is enabled.
  const methods: string[] = [];
  server.addHook('onReady', async () => {
    const mounted = new Set(server.listMountedRoutes().map(({ method }) => method));
    methods.push(...[...mounted].filter((method) => method !== 'OPTIONS').sort());
  });
  const options = { origin: [...origins], methods, exposedHeaders: EXPOSED_HEADERS, maxAge: 600 };
  await server.register(cors, {
    delegator: (request, done) => {
      // An OPTIONS request that is not a browser's preflight goes to its route: tus and WebDAV have one.
      const { origin, 'access-control-request-method': method } = request.headers;
      done(null, { ...options, preflight: origin !== undefined && method !== undefined });
    },
  });
}
