import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { getSecurity, listAuthMethods, listSecurityChanges } from './contract.ts';
import type { Security } from './security.ts';

/** How people can log in, and what protects the account of the caller. */
export function securityRoutes(server: Server, security: Security): void {
  mount(server, listAuthMethods, async () => security.listMethods());

  mount(server, getSecurity, async (request) => security.get(callerOf(request)));

  mount(server, listSecurityChanges, async (request) => security.listChanges(callerOf(request)));
}
