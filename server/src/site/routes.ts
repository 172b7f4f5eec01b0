import { acceptsHtml } from '../http/accepts-html.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { checkLive, checkReady, pingSite, showSite } from './contract.ts';
import type { Readiness } from './readiness.ts';
import type { SendPage } from './web-client-routes.ts';

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
  mount(server, showSite, async (request, reply) => {
    if (sendPage !== undefined && acceptsHtml(request)) return sendPage(reply);
    return { name: 'Holdall', version, status: 'ok' } as const;
  });

  mount(server, pingSite, async () => ({ status: 'ok', apiVersion: 'v2' }) as const);

  mount(server, checkLive, async () => {});

  // A load balancer removes the instance while it is not ready.
  mount(server, checkReady, async () => readiness.check());
}
