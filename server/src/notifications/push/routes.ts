import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { getPush, subscribeToPush, unsubscribeFromPush } from './contract.ts';
import type { Push } from './push.ts';

/** The push messages to the browsers of the caller. */
export function pushRoutes(server: Server, push: Push): void {
  mount(server, getPush, (request) => push.describe(callerOf(request)));

  mount(server, subscribeToPush, async (request) => {
    const { endpoint, keys } = request.body;
    await push.subscribe(callerOf(request), { endpoint, ...keys });
  });

  mount(server, unsubscribeFromPush, async (request) => {
    await push.unsubscribe(callerOf(request).accountId, request.body.endpoint);
  });
}
