import { Type } from 'typebox';
import { acceptsHtml } from '../http/accepts-html.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import type { Server } from '../http/server.ts';
import type { Readiness } from './readiness.ts';
import type { SendPage } from './web-client-routes.ts';

const Availability = Type.Object({
  name: Type.Literal('Holdall'),
  version: Type.String(),
  status: Type.Literal('ok'),
});

const Ping = Type.Object({ status: Type.Literal('ok'), apiVersion: Type.Literal('v2') });

/**
 * Mounts the routes that tell whether the service is up and whether it is ready.
 * @param sendPage sends the web client to browsers that open `/`
 */
export function siteRoutes(
  server: Server,
  version: string,
  readiness: Readiness,
  sendPage: SendPage | undefined,
): void {
  const config = { access: 'public', appPassword: 'read' } as const;

  server.get('/', { config, schema: { response: enveloped(Availability) } }, async (request, reply) => {
    if (sendPage !== undefined && acceptsHtml(request)) return sendPage(reply);
    return success({ name: 'Holdall', version, status: 'ok' } as const);
  });

  server.get('/api/v2/site/ping', { config, schema: { response: enveloped(Ping) } }, async () =>
    success({ status: 'ok', apiVersion: 'v2' } as const),
  );

  server.get('/health/live', { config, schema: { response: envelopedNothing } }, async () => NOTHING);

  // A load balancer removes the instance while it is not ready.
  server.get('/health/ready', { config, schema: { response: envelopedNothing } }, async () => {
    await readiness.check();
    return NOTHING;
  });
}
