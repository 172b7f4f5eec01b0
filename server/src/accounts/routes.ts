import type { FastifyRequest } from 'fastify';
import type { ClientType } from '../base/domain/accounts.ts';
import { callerOf, setBearerChallenge } from '../http/caller.ts';
import { enveloped, envelopedNothing, errorEnvelopeWith, NOTHING, success } from '../http/envelope.ts';
import { codeOf } from '../http/errors/error-codes.ts';
import { decodeHeader } from '../http/parsing/header-text.ts';
import { REQUIRED_HEADER } from '../http/required-header.ts';
import type { Server } from '../http/server.ts';
import type { Accounts } from './accounts.ts';
import {
  DeviceHeaders,
  DevLoginBody,
  DevLoginQuery,
  LoginBody,
  LoginState,
  PasswordBody,
  ProfileBody,
  RefreshBody,
  RegisterBody,
  User,
} from './contract.ts';
import { findRelyingParty } from './passkeys/relying-party.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { NeededSecondFactor, SecondFactorBody } from './second-factor/contract.ts';
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
}

function authRoutes(server: Server, { registration, signIn: { login, secondFactorLogin } }: Accounts): void {
  const config = { access: 'public', appPassword: 'never' } as const;
  const schema = { headers: DeviceHeaders, response: enveloped(LoginState) };

  server.post('/api/auth/register', { config, schema: { ...schema, body: RegisterBody } }, async (request) =>
    success(await registration.register(request.body, originOf(request))),
  );

  const loginSchema = {
    ...schema,
    response: { ...schema.response, 401: errorEnvelopeWith(NeededSecondFactor) },
  };
  server.post(
    '/api/auth/login',
    { config, schema: { ...loginSchema, body: LoginBody } },
    async (request, reply) => {
      const { username, password } = request.body;
      const result = await login.logIn(username, password, originOf(request));
      if (!('ticket' in result)) return success(result);
      const needed = { secondFactor: ['TOTP' as const, 'RECOVERY' as const], ticket: result.ticket };
      setBearerChallenge(reply);
      reply.header('cache-control', 'no-store');
      return reply.code(401).send({
        code: codeOf('unauthenticated', 'legacy'),
        msg: 'Please enter a code of your authenticator app.',
        data: needed,
      });
    },
  );

  server.post(
    '/api/auth/second-factor',
    { config, schema: { ...schema, body: SecondFactorBody } },
    async (request, reply) => {
      const { ticket, code } = request.body;
      try {
        return success(await secondFactorLogin.finish(ticket, code, originOf(request)));
      } catch (error) {
        // A wrong code is 401, too, but the user can try another one.
        if (error instanceof InvalidLoginTicket) reply.header(REQUIRED_HEADER, 'login');
        throw error;
      }
    },
  );

  server.post('/api/auth/refresh', { config, schema: { ...schema, body: RefreshBody } }, async (request) =>
    success(await login.refresh(request.body.refreshToken, originOf(request))),
  );

  server.post(
    '/api/auth/logout',
    {
      config: {
        access: 'login',
        appPassword: 'never',
        beforePasswordChange: true,
        beforeSecondFactor: true,
      },
      schema: { response: envelopedNothing },
    },
    async (request) => {
      await login.logOut(callerOf(request));
      return NOTHING;
    },
  );
}

/** Only where the environment enables it: this route needs no password. */
function devLoginRoute(server: Server, login: Login): void {
  server.post(
    '/api/auth/dev-login',
    {
      config: { access: 'public', appPassword: 'never' },
      schema: {
        headers: DeviceHeaders,
        querystring: DevLoginQuery,
        body: DevLoginBody,
        response: enveloped(LoginState),
      },
    },
    async (request) => {
      const { username = 'dev', role } = { ...request.query, ...request.body };
      return success(await login.devLogIn(username, role, originOf(request)));
    },
  );
}

function userRoutes(server: Server, { signIn: { passwordChange }, profiles }: Accounts): void {
  const config = { access: 'login', appPassword: 'never' } as const;
  const user = enveloped(User);

  server.get(
    '/api/user/profile',
    {
      config: { ...config, appPassword: 'read', beforePasswordChange: true, beforeSecondFactor: true },
      schema: { response: user },
    },
    async (request) => success(await profiles.get(callerOf(request).accountId)),
  );

  server.put(
    '/api/user/profile',
    { config, schema: { body: ProfileBody, response: user } },
    async (request) => success(await profiles.change(callerOf(request).accountId, request.body)),
  );

  server.post(
    '/api/user/password',
    {
      config: { ...config, beforePasswordChange: true },
      schema: { headers: DeviceHeaders, body: PasswordBody, response: enveloped(LoginState) },
    },
    async (request) => {
      const {
        newPassword,
        oldPassword,
        currentPassword = oldPassword,
        endAppPasswords = false,
      } = request.body;
      const wanted = { currentPassword, newPassword, endAppPasswords };
      return success(await passwordChange.change(callerOf(request), wanted, originOf(request)));
    },
  );
}

function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent'] ?? null;
  return {
    address: request.ip,
    client: clientTypeOf(request),
    // A UUID by the schema of the route.
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
