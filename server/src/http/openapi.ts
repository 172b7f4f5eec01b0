import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { type TObject, Type } from 'typebox';

const MULTIPART = 'multipart/form-data';

/** The page loads only the files of the package. It needs inline styles. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parts of a multipart body. They are only described in OpenAPI; the route itself validates them. */
    form?: TObject;
  }
}

/** The schema of a part with the bytes of a file. */
export const FileBytes = Type.String({ format: 'binary' });

/**
 * Mounts `GET /api/openapi.json`, which is generated from the schemas that validate requests, and
 * `/api/docs`, which shows it.
 */
export async function describeApi(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
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
        ...describeForm(route.config?.form, schema),
        ...(route.config?.access === 'public' ? {} : { security: [{ token: [] }] }),
      },
    }),
  });
  server.get(
    '/api/openapi.json',
    { config: { access: 'public', appPassword: 'read' }, schema: { hide: true } },
    async () => server.swagger(),
  );
  await server.register(async (pages) => {
    // The package mounts these routes without access rules.
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public', appPassword: 'read' };
    });
    await pages.register(swaggerUi, {
      routePrefix: '/api/docs',
      theme: { title: 'Holdall API' },
      uiConfig: { validatorUrl: null },
      staticCSP: PAGE_POLICY,
    });
  });
}

function describeForm(form: TObject | undefined, { consumes = [] }: FastifySchema = {}) {
  if (form !== undefined) return { consumes: [MULTIPART], body: form };
  return consumes.includes(MULTIPART) ? { body: Type.Object({ file: FileBytes }) } : {};
}
