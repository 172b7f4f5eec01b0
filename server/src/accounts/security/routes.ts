import { Type } from 'typebox';
import { callerOf } from '../../http/caller.ts';
import { enveloped, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { MAX_LISTED_CHANGES } from '../security-log/security-log.ts';
import { AccountSecurity, AuthMethods, SecurityChange } from './contract.ts';
import type { Security } from './security.ts';

/** `/api/auth/methods`, `/api/user/security` and `/api/user/security/changes`. */
export function securityRoutes(server: Server, security: Security): void {
  server.get(
    '/api/auth/methods',
    { config: { access: 'public', appPassword: 'read' }, schema: { response: enveloped(AuthMethods) } },
    async () => success(security.listMethods()),
  );

  server.get(
    '/api/user/security',
    {
      config: { access: 'login', appPassword: 'never', beforeSecondFactor: true },
      schema: { response: enveloped(AccountSecurity) },
    },
    async (request) => success(await security.get(callerOf(request))),
  );

  server.get(
    '/api/user/security/changes',
    {
      config: { access: 'login', appPassword: 'never' },
      schema: { response: enveloped(Type.Array(SecurityChange, { maxItems: MAX_LISTED_CHANGES })) },
    },
    async (request) => success([...(await security.listChanges(callerOf(request)))]),
  );
}
