import { Type } from 'typebox';
import { ErrorEnvelope } from '../../http/envelope.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, KeyText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { DeviceHeaders, LoginState, OwnerBody } from '../contract.ts';

/** A parameter that the provider adds to the URL of the callback. */
const AnswerText = Type.String({ maxLength: 4_096 });

const StartQuery = Type.Object({
  next: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'a path of the service to go to after the login' }),
  ),
});

const CallbackQuery = Type.Object({
  code: Type.Optional(AnswerText),
  state: Type.Optional(AnswerText),
  iss: Type.Optional(AnswerText),
  error: Type.Optional(AnswerText),
  error_description: Type.Optional(AnswerText),
});

export const TicketBody = Type.Object({ ticket: KeyText });

export const LinkStart = Type.Object({
  url: Type.String({
    description: 'where to send the browser; it is redirected to `/profile/security` at the end',
  }),
});

/** The answers to browsers that navigate here. */
const redirects = {
  302: Type.Null({ description: 'to the provider, or back to a page of the service' }),
  '4xx': ErrorEnvelope,
  '5xx': ErrorEnvelope,
};

export const startSingleSignOn = operation('GET /api/auth/oidc/start', {
  does: 'Sends the browser to the single sign-on provider.',
  access: 'public',
  appPassword: 'never',
  query: StartQuery,
  responses: redirects,
  example: { query: { next: '/drive' } },
});

export const returnFromProvider = operation('GET /api/auth/oidc/callback', {
  does: 'Receives the browser back from the single sign-on provider.',
  access: 'public',
  appPassword: 'never',
  query: CallbackQuery,
  responses: redirects,
  example: { query: { code: 'example-code', state: 'example-state' } },
});

export const redeemTicket = operation('POST /api/auth/oidc/ticket', {
  does: 'Logs in with a single sign-on ticket.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  body: TicketBody,
  data: LoginState,
  example: { body: { ticket: EXAMPLE.signOnTicket } },
});

export const linkIdentity = operation('POST /api/user/identities/oidc', {
  does: 'Tells where the browser links a single sign-on account.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  body: OwnerBody,
  data: LinkStart,
  example: { body: { password: EXAMPLE.password } },
});

export const unlinkIdentity = operation('DELETE /api/user/identities/{id}', {
  does: 'Unlinks a single sign-on account of the caller.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  path: Type.Object({ id: Id }),
  body: OwnerBody,
  example: { path: { id: EXAMPLE.identity }, body: { password: EXAMPLE.password } },
});
