import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_SESSIONS } from './login-sessions.ts';

export const LoginSessionRecord = Type.Object({
  id: Type.String(),
  client: Type.Enum(['desktop', 'mobile']),
  device: Nullable(Type.String({ description: 'UUID' })),
  address: Nullable(Type.String({ description: 'of the last login or refresh' })),
  userAgent: Nullable(Type.String({ description: 'of the last login or refresh' })),
  createdAt: Timestamp,
  lastUsedAt: Type.String({ ...Timestamp, description: 'the last login or refresh' }),
  current: Type.Boolean({ description: 'whether it is the session of the request' }),
  here: Type.Boolean({ description: 'whether it has an event stream with `devices=true` now' }),
});
export type LoginSessionRecord = Static<typeof LoginSessionRecord>;

export const listLoginSessions = operation('GET /api/user/sessions', {
  does: 'Lists the login sessions of the caller, the most recently used first.',
  access: 'login',
  appPassword: 'never',
  data: Type.Array(LoginSessionRecord, { maxItems: MAX_SESSIONS }),
  example: {},
});

const EndedSessions = Type.Object({ ended: Type.Integer({ minimum: 0, maximum: MAX_SESSIONS }) });

export const endOtherLoginSessions = operation('DELETE /api/user/sessions', {
  does: 'Ends every login session of the caller but the one of the request.',
  access: 'login',
  appPassword: 'never',
  data: EndedSessions,
  example: {},
});

export const endLoginSession = operation('DELETE /api/user/sessions/{id}', {
  does: 'Ends a login session of the caller.',
  access: 'login',
  appPassword: 'never',
  path: Type.Object({ id: Type.String({ maxLength: 128 }) }),
  example: { path: { id: EXAMPLE.loginSession } },
});
