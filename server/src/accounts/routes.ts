import type { FastifyRequest } from 'fastify';
import type { ClientType } from '../base/domain/accounts.ts';
import { callerOf, setBearerChallenge } from '../http/caller.ts';
import { codeOf } from '../http/errors/error-codes.ts';
import { mount } from '../http/operation.ts';
import { decodeHeader, REQUIRED_HEADER } from '../http/parsing/header-text.ts';
import type { Server } from '../http/server.ts';
import { acceptedLanguageOf } from './accepted-language.ts';
import type { Accounts } from './accounts.ts';
import {
  changePassword,
  changeProfile,
  describeInvitation,
  devLogIn,
  getProfile,
  logIn,
  logOut,
  refreshLogin,
  register,
} from './contract.ts';
import { firstStepRoutes } from './first-steps/routes.ts';
import { mailedTokenRoutes } from './mailed-tokens/routes.ts';
import { findRelyingParty } from './passkeys/relying-party.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { finishLogin } from './second-factor/contract.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { securityRoutes } from './security/routes.ts';
import type { Login } from './sessions/login.ts';
import type { Origin } from './sessions/login-sessions.ts';
import { loginSessionRoutes } from './sessions/routes.ts';
import { InvalidLoginTicket } from './sessions/second-factor-login.ts';
import { singleSignOnRoutes } from './single-sign-on/routes.ts';

/**
 * Routes of `/api/auth/**` and `/api/user/**`, without those of the profile picture.
 * @param options.baseUrl the address that people use
 */
export function accountRoutes(
  server: Server,
  accounts: Accounts,
  options: { devLogin: boolean; baseUrl: () => string },
): void {
  const { signIn } = accounts;
  authRoutes(server, accounts);
  if (options.devLogin) devLoginRoute(server, signIn.login);
  userRoutes(server, accounts);
  loginSessionRoutes(server, signIn);
  secondFactorRoutes(server, signIn.secondFactors);
  const findParty = () => findRelyingParty(options.baseUrl());
  const { passkeys, passkeyLogin, singleSignOn, identities } = signIn;
  passkeyRoutes(server, { passkeys, passkeyLogin, findRelyingParty: findParty, originOf });
  singleSignOnRoutes(server, { singleSignOn, identities, baseUrl: options.baseUrl, originOf });
  securityRoutes(server, signIn.security);
  firstStepRoutes(server, signIn.firstSteps);
  mailedTokenRoutes(server, accounts);
}

function authRoutes(server: Server, { registration, signIn: { login, secondFactorLogin } }: Accounts): void {
  mount(server, register, async (request) =>
    registration.register(request.body, originOf(request), acceptedLanguageOf(request)),
  );

  mount(server, describeInvitation, async (request) =>
    registration.describeInvitation(request.body.inviteCode.trim(), request.ip),
  );

  mount(server, logIn, async (request, reply) => {
    const { username, password } = request.body;
    const result = await login.logIn(username, password, originOf(request));
    if (!('ticket' in result)) return result;
    const needed = { secondFactor: ['TOTP', 'RECOVERY'], ticket: result.ticket };
    setBearerChallenge(reply);
    reply.header('cache-control', 'no-store');
    return reply.code(401).send({
      code: codeOf('unauthenticated', 'legacy'),
      msg: 'Please enter a code of your authenticator app.',
      data: needed,
    });
  });

  mount(server, finishLogin, async (request, reply) => {
    const { ticket, code } = request.body;
    try {
      return await secondFactorLogin.finish(ticket, code, originOf(request));
    } catch (error) {
      // A wrong code is also a 401, but then the user can try another one.
      if (error instanceof InvalidLoginTicket) reply.header(REQUIRED_HEADER, 'login');
      throw error;
    }
  });

  mount(server, refreshLogin, async (request) => login.refresh(request.body.refreshToken, originOf(request)));

  mount(server, logOut, async (request) => {
    await login.logOut(callerOf(request));
  });
}

function devLoginRoute(server: Server, login: Login): void {
  mount(server, devLogIn, async (request) => {
    const { username = 'dev', role } = { ...request.query, ...request.body };
    return login.devLogIn(username, role, originOf(request));
  });
}

function userRoutes(server: Server, { signIn: { passwordChange }, profiles }: Accounts): void {
  mount(server, getProfile, async (request) => profiles.get(callerOf(request).accountId));

  mount(server, changeProfile, async (request) =>
    profiles.change(callerOf(request), request.body, {
      address: request.ip,
      acceptedLanguage: acceptedLanguageOf(request),
    }),
  );

  mount(server, changePassword, async (request) => {
    const { newPassword, oldPassword, currentPassword = oldPassword, endAppPasswords = false } = request.body;
    const wanted = { currentPassword, newPassword, endAppPasswords };
    return passwordChange.change(callerOf(request), wanted, originOf(request));
  });
}

function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent'] ?? null;
  return {
    address: request.ip,
    client: clientTypeOf(request),
    // The route's schema guarantees a UUID.
    device: request.headers['x-service-device']?.toString().toLowerCase() ?? null,
    userAgent: userAgent && (decodeHeader(userAgent) ?? userAgent),
  };
}

/** `X-Service-Client: mobile` (upper or lower case) means mobile; any other value means desktop. */
function clientTypeOf(request: FastifyRequest): ClientType {
  const header = request.headers['x-service-client'];
  const value = Array.isArray(header) ? header[0] : header;
  return value?.trim().toLowerCase() === 'mobile' ? 'mobile' : 'desktop';
}
