import { callerOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { AccountSecurity, AuthMethods } from './contract.ts';
import type { Security } from './security.ts';

/** `/api/auth/methods` and `/api/user/security`. */
export function securityRoutes(server: Server, security: Security, hasPasskeys: () => boolean): void {
  server.get(
    '/api/auth/methods',
    { config: { access: 'public', appPassword: 'read' }, schema: { response: enveloped(AuthMethods) } },
    async () => success(security.listMethods(hasPasskeys())),
  );

  server.get(
    '/api/user/security',
    {
      config: { access: 'login', appPassword: 'never', beforeSecondFactor: true },
      schema: { response: enveloped(AccountSecurity) },
    },
    async (request) => success(await security.get(callerOf(request))),
  );
}
