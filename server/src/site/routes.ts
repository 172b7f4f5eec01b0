import { Type } from 'typebox';
import { SECOND } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import type { Server } from '../http/server.ts';
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
  checkReady: () => Promise<void>,
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

  // Ready means that database and store answer; a load balancer removes the instance while they do not. The
  // check writes and flushes a probe, and anybody may ask for it, so it runs at most once a second.
  let recent: Promise<void> | undefined;
  const checkOnceASecond = () => {
    recent ??= checkReady().finally(() => setTimeout(() => (recent = undefined), SECOND).unref());
    return recent;
  };

  server.get('/health/ready', { config, schema: { response: envelopedNothing } }, async () => {
    try {
      await checkOnceASecond();
    } catch (error) {
      throw new Failure('unavailable', 'Not ready.', { retryAfterSeconds: 5, cause: error });
    }
    return NOTHING;
  });
}
