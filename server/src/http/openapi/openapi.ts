import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { TObject } from 'typebox';
import { Failure } from '../../base/failure.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parts of a multipart body, for OpenAPI only. The route itself validates them. */
    form?: TObject;
  }
}

/**
 * Mounts `GET /api/openapi.json`, which is generated from the schemas that validate requests, and
 * `/api/docs`, which shows it. Must be called before the routes are mounted. The libraries for it are loaded
 * at the first request: they need some megabytes and a tenth of the start time, and few people use them.
 */
export function describeApi(server: FastifyInstance, version: string): void {
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route);
  });
  let loading: Promise<FastifyInstance> | undefined;
  const load = () => {
    loading ??= import('./api-pages.ts').then(({ buildApiPages }) => buildApiPages(routes, version));
    return loading;
  };
  const options = {
    config: { access: 'public', appPassword: 'read' },
    schema: { hide: true },
  } as const;
  // The routes no longer change, so the text is generated once.
  let text: string | undefined;
  server.get('/api/openapi.json', options, async (_request, reply) => {
    const pages = await load();
    text ??= JSON.stringify(pages.swagger());
    return reply.type('application/json; charset=utf-8').send(text);
  });
  const showPage = async (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(await load(), request, reply);
  server.get('/api/docs', options, showPage);
  const files = { ...options, config: { ...options.config, servesCode: true } } as const;
  server.get('/api/docs/*', files, showPage);
}

/** Passes the request to the server of the pages, and sends its response. */
async function sendPage(pages: FastifyInstance, { url, headers }: FastifyRequest, reply: FastifyReply) {
  const { statusCode, headers: answered, rawPayload } = await pages.inject({ method: 'GET', url, headers });
  if (statusCode === 404) throw new Failure('not-found', 'There is nothing at this address.');
  const { connection: _connection, date: _date, ...kept } = answered;
  return reply
    .code(statusCode)
    .headers(kept)
    .send(rawPayload.length === 0 ? undefined : rawPayload);
}
