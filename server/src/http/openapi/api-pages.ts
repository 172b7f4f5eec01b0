import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type FastifyInstance, fastify, type RouteOptions } from 'fastify';

/** Lets the page load only the files of its package. It needs inline styles. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
