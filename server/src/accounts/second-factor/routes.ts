import { callerOf } from '../../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../../http/envelope.ts';
import type { Server } from '../../http/server.ts';
import { OwnerBody } from '../contract.ts';
import { RecoveryCodes, TotpCodeBody, TotpEnrolment } from './contract.ts';
import type { SecondFactors } from './second-factors.ts';

const BASE = '/api/user/totp';

/** Routes of `/api/user/totp`: the authenticator app of the account, and its recovery codes. */
export function secondFactorRoutes(server: Server, secondFactors: SecondFactors): void {
  const config = { access: 'login', appPassword: 'never', beforeSecondFactor: true } as const;
  const secret = { 'cache-control': 'no-store' };

  server.post(
    BASE,
    { config, schema: { body: OwnerBody, response: enveloped(TotpEnrolment) } },
    async (request, reply) => {
      const proof = { password: request.body?.password, address: request.ip };
      const enrolment = await secondFactors.start(callerOf(request), proof);
      reply.headers(secret);
      return success(enrolment);
    },
  );

  server.post(
    `${BASE}/confirm`,
    { config, schema: { body: TotpCodeBody, response: enveloped(RecoveryCodes) } },
    async (request, reply) => {
      const codes = await secondFactors.confirm(callerOf(request), request.body.code, request.ip);
      reply.headers(secret);
      return success({ recoveryCodes: [...codes] });
    },
  );

  server.post(
    `${BASE}/recovery-codes`,
    { config, schema: { body: OwnerBody, response: enveloped(RecoveryCodes) } },
    async (request, reply) => {
      const proof = { password: request.body?.password, address: request.ip };
      const codes = await secondFactors.renewRecoveryCodes(callerOf(request), proof);
      reply.headers(secret);
      return success({ recoveryCodes: [...codes] });
    },
  );

  server.delete(
    BASE,
    { config, schema: { body: OwnerBody, response: envelopedNothing } },
    async (request) => {
      const proof = { password: request.body?.password, address: request.ip };
      await secondFactors.turnOff(callerOf(request), proof);
      return NOTHING;
    },
  );
}
