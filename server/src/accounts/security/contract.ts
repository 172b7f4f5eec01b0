import { type Static, Type } from 'typebox';
import { Id, Nullable, Timestamp } from '../../http/fields.ts';

/** How people can log in here, for the login page. */
export const AuthMethods = Type.Object({
  passkeys: Type.Boolean({ description: 'whether browsers can use passkeys at the address of the service' }),
  singleSignOn: Nullable(Type.Object({ name: Type.String() })),
  registration: Type.Boolean(),
});
export type AuthMethods = Static<typeof AuthMethods>;

/** What protects the account of the caller. */
export const AccountSecurity = Type.Object({
  totp: Type.Boolean({ description: 'whether logins with the password need a code' }),
  recoveryCodesLeft: Type.Integer({ minimum: 0 }),
  passkeys: Type.Integer({ minimum: 0 }),
  identities: Type.Array(Type.Object({ id: Id, issuer: Type.String(), createdAt: Timestamp })),
  hasPassword: Type.Boolean(),
  generatedPassword: Type.Boolean({
    description: 'whether it is still the password that the first start of the service generated',
  }),
  secondFactorRequired: Type.Boolean({
    description:
      'whether most calls are refused while the account has neither an app nor a passkey nor an identity',
  }),
});
export type AccountSecurity = Static<typeof AccountSecurity>;
