import { createHash } from 'node:crypto';
import { checkConditions } from '../http/download/conditional-request.ts';
import { sendNothing } from '../http/download/file-download.ts';
import { sendGenerated } from '../http/download/generated-file.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { getInstance, getLogo } from './contract.ts';
import type { InstanceIdentity } from './instance.ts';

/** How the instance presents itself to everyone. */
export function instanceRoutes(server: Server, identity: InstanceIdentity): void {
  mount(server, getInstance, async (request, reply) => {
    const instance = await identity.get();
    const etag = createHash('sha256').update(JSON.stringify(instance)).digest('base64url');
    const headers = { etag: `"${etag}"`, 'cache-control': 'no-cache' };
    if (checkConditions(request.headers, { etag }) === 'not-modified') {
      return sendNothing(request, reply, 304, headers);
    }
    reply.headers(headers);
    return instance;
  });

  mount(server, getLogo, async (request, reply) =>
    sendGenerated(request, reply, await identity.openLogo(request.query.v)),
  );
}
