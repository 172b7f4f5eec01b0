import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FastifyInstance, fastify, type RouteOptions } from 'fastify';
import { type TObject, Type } from 'typebox';

/** Lets the page load only the files of its package. It needs inline styles. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DRIVE = Type.Integer({
  description: 'the drive; by default the personal one. The query parameter `drive` does the same.',
});

/** Adds the header that chooses a drive. */
function withDrive(headers: unknown) {
  const { properties } = (headers ?? {}) as Partial<TObject>;
  return Type.Object({ ...properties, 'x-service-drive': Type.Optional(DRIVE) });
}

/**
 * Builds a server that never listens. It has the description of the given routes and the pages that show it.
 */
export async function buildApiPages(
  routes: readonly RouteOptions[],
  version: string,
): Promise<FastifyInstance> {
  const pages = fastify({ exposeHeadRoutes: false });
  // Only the pages are ever called, and they have no schemas.
  pages.setValidatorCompiler(() => () => true);
  pages.setSerializerCompiler(() => JSON.stringify);
  await pages.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Holdall',
        version,
        description: 'The cloud drive that people run themselves and keep.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: {
        ...schema,
        ...(route.config?.form && { body: route.config.form }),
        ...(route.config?.inDrive && { headers: withDrive(schema?.headers) }),
        ...(route.config?.access === 'public' ? {} : { security: [{ token: [] }] }),
      },
    }),
  });
  for (const { method, url, schema, config } of routes) {
    if (schema?.hide) continue;
    pages.route({
      method,
      url,
      ...(schema === undefined ? {} : { schema }),
      ...(config === undefined ? {} : { config }),
      handler: () => {},
    });
  }
  await pages.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Holdall API' },
    uiConfig: { validatorUrl: null },
    staticCSP: PAGE_POLICY,
  });
  await pages.ready();
  return pages;
}
