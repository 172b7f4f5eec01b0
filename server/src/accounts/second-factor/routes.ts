import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { confirmTotp, renewRecoveryCodes, startTotp, turnOffTotp } from './contract.ts';
import type { SecondFactors } from './second-factors.ts';

const SECRET = { 'cache-control': 'no-store' };

/** The authenticator app of the account, and its recovery codes. */
export function secondFactorRoutes(server: Server, secondFactors: SecondFactors): void {
  mount(server, startTotp, async (request, reply) => {
    const proof = { password: request.body?.password, address: request.ip };
    const enrolment = await secondFactors.start(callerOf(request), proof);
    reply.headers(SECRET);
    return enrolment;
  });

  mount(server, confirmTotp, async (request, reply) => {
    const codes = await secondFactors.confirm(callerOf(request), request.body.code, request.ip);
    reply.headers(SECRET);
    return { recoveryCodes: [...codes] };
  });

  mount(server, renewRecoveryCodes, async (request, reply) => {
    const proof = { password: request.body?.password, address: request.ip };
    const codes = await secondFactors.renewRecoveryCodes(callerOf(request), proof);
    reply.headers(SECRET);
    return { recoveryCodes: [...codes] };
  });

  mount(server, turnOffTotp, async (request) => {
    const proof = { password: request.body?.password, address: request.ip };
    await secondFactors.turnOff(callerOf(request), proof);
  });
}
