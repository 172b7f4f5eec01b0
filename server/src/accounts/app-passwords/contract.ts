import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, Nullable, Timestamp, TimestampText } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_APP_PASSWORDS } from './app-passwords.ts';

const Scope = Type.Enum(['READ', 'WRITE']);

export const AppPasswordBody = Type.Object({
  name: Type.String({ maxLength: 512 }),
  scope: Scope,
  expiresAt: Type.Optional(Nullable(TimestampText)),
});
export type AppPasswordBody = Static<typeof AppPasswordBody>;

const appPasswordFields = {
  id: Id,
  name: Type.String(),
  scope: Scope,
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Type.String({ ...Timestamp, description: 'accurate to a minute' })),
};
export const AppPasswordRecord = Type.Object(appPasswordFields);
export type AppPasswordRecord = Static<typeof AppPasswordRecord>;

/** The only response that contains the password. */
export const NewAppPassword = Type.Object({ ...appPasswordFields, password: Type.String() });
export type NewAppPassword = Static<typeof NewAppPassword>;

// A program must not create more credentials, so all operations need a login.

export const createAppPassword = operation('POST /api/user/app-passwords', {
  does: 'Creates an app password, which only this answer shows.',
  access: 'login',
  appPassword: 'never',
  body: AppPasswordBody,
  data: NewAppPassword,
  example: { body: { name: 'Backup', scope: 'READ' } },
});

export const listAppPasswords = operation('GET /api/user/app-passwords', {
  does: 'Lists the app passwords of the caller, the newest first.',
  access: 'login',
  appPassword: 'never',
  data: Type.Array(AppPasswordRecord, { maxItems: MAX_APP_PASSWORDS }),
  example: {},
});

export const deleteAppPassword = operation('DELETE /api/user/app-passwords/{id}', {
  does: 'Deletes an app password of the caller.',
  access: 'login',
  appPassword: 'never',
  path: Type.Object({ id: Id }),
  example: { path: { id: EXAMPLE.appPassword } },
});
