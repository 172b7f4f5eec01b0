import { type Static, Type } from 'typebox';
import { SECURITY_ACTIONS } from '../../base/domain/accounts.ts';
import { Id, Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_IDENTITIES } from '../account-rules.ts';
import { MAX_LISTED_CHANGES } from './security-log.ts';

/** How people can log in here, for the login page. */
export const AuthMethods = Type.Object({
  passkeys: Type.Boolean({ description: 'whether browsers can use passkeys at the address of the service' }),
  singleSignOn: Nullable(Type.Object({ name: Type.String() })),
  registration: Type.Boolean(),
  passwordReset: Type.Boolean({ description: 'whether the service mails links for a new password' }),
});
export type AuthMethods = Static<typeof AuthMethods>;

/** What protects the account of the caller. */
export const AccountSecurity = Type.Object({
  totp: Type.Boolean({ description: 'whether logins with the password need a code' }),
  recoveryCodesLeft: Type.Integer({ minimum: 0 }),
  passkeys: Type.Integer({ minimum: 0 }),
  identities: Type.Array(Type.Object({ id: Id, issuer: Type.String(), createdAt: Timestamp }), {
    maxItems: MAX_IDENTITIES,
  }),
  hasPassword: Type.Boolean(),
  hasSecondFactor: Type.Boolean({
    description: 'whether it has an app, a passkey or an identity with which people can log in here',
  }),
  generatedPassword: Type.Boolean({
    description: 'whether it is still the password that the first start of the service generated',
  }),
  secondFactorRequired: Type.Boolean({
    description: 'whether most calls are refused while the account has no second factor',
  }),
});
export type AccountSecurity = Static<typeof AccountSecurity>;

/** A change of how people log in to the account of the caller. */
export const SecurityChange = Type.Object({
  id: Id,
  action: Type.Enum([...SECURITY_ACTIONS], { description: 'as in the audit log' }),
  byOwner: Type.Boolean({ description: 'false for a change by an administrator or on the command line' }),
  createdAt: Timestamp,
});
export type SecurityChange = Static<typeof SecurityChange>;

export const listAuthMethods = operation('GET /api/auth/methods', {
  does: 'Tells how people can log in here.',
  access: 'public',
  appPassword: 'read',
  data: AuthMethods,
  example: {},
});

export const getSecurity = operation('GET /api/user/security', {
  does: 'Tells what protects the account of the caller.',
  access: 'login',
  appPassword: 'never',
  beforeSecondFactor: true,
  data: AccountSecurity,
  example: {},
});

export const listSecurityChanges = operation('GET /api/user/security/changes', {
  does: 'Lists the newest changes of how people log in to the account of the caller.',
  access: 'login',
  appPassword: 'never',
  data: Type.Array(SecurityChange, { maxItems: MAX_LISTED_CHANGES }),
  example: {},
});
