import { type Static, Type } from 'typebox';
import { MAX_IDENTITIES } from '../../accounts/accounts.ts';
import { EmailText, PasswordText, PhoneText, UsernameText } from '../../accounts/contract.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { ByteCount, Id, Nullable, PageOf, pageQuery, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { Bytes, Count, EntryLimit, Filter, Text } from '../fields.ts';

const Role = Type.Enum(['USER', 'MODERATOR', 'ADMIN']);

const UserParams = Type.Object({ userId: Id });
const UsersQuery = Type.Object({ ...pageQuery, query: Filter, role: Type.Optional(Role) });

export const AdminUser = Type.Object({
  id: Id,
  username: Text,
  displayName: Text,
  email: Nullable(Text),
  phoneNumber: Nullable(Text),
  role: Role,
  banned: Type.Boolean(),
  deleting: Type.Boolean({ description: 'whether the account and its data are being deleted' }),
  storageUsedBytes: ByteCount,
  storageQuotaBytes: ByteCount,
  maxUploadSizeBytes: ByteCount,
  maxEntries: Count,
  entryCount: Count,
  fileCount: Count,
  totp: Type.Boolean({ description: 'whether an authenticator app is set up' }),
  passkeys: Count,
  identities: Type.Array(Type.Object({ id: Id, issuer: Text, createdAt: Timestamp }), {
    maxItems: MAX_IDENTITIES,
  }),
  hasPassword: Type.Boolean(),
  createdAt: Timestamp,
  lastActiveAt: Nullable(Timestamp),
});
export type AdminUser = Static<typeof AdminUser>;

const UserIdentityParams = Type.Object({ userId: Id, identityId: Id });

export const NewUserBody = Type.Object({
  username: UsernameText,
  email: EmailText,
  phoneNumber: PhoneText,
  password: Type.Optional(Nullable(PasswordText)),
});
export type NewUserBody = Static<typeof NewUserBody>;

export const NewAdminUser = Type.Object({
  ...AdminUser.properties,
  temporaryPassword: Nullable(Type.String({ description: 'the generated password, only in this response' })),
});
export type NewAdminUser = Static<typeof NewAdminUser>;

export const RoleBody = Type.Object({ role: Role });
export const StatusBody = Type.Object({
  banned: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.Enum(['ACTIVE', 'BANNED'])),
});
export type StatusBody = Static<typeof StatusBody>;
export const DeleteUserBody = Type.Object({
  username: Type.String({ maxLength: 64, description: 'that of the account, as a check' }),
});
export const NewPasswordBody = Type.Object({ newPassword: PasswordText });
export const TemporaryPassword = Type.Object({ temporaryPassword: Text });
export type TemporaryPassword = Static<typeof TemporaryPassword>;
export const QuotaBody = Type.Object({ storageQuotaBytes: Bytes });
export const UploadLimitBody = Type.Object({ maxUploadSizeBytes: Bytes });
export const MaxEntriesBody = Type.Object({ maxEntries: EntryLimit });

export const listUsers = operation('GET /api/admin/users', {
  does: 'Lists the accounts, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: UsersQuery,
  data: PageOf(AdminUser),
  example: { query: { query: 'example', page: 0, size: 20 } },
});

export const createUser = operation('POST /api/admin/users', {
  does: 'Creates an account whose owner must change the password.',
  access: 'admin',
  appPassword: 'never',
  body: NewUserBody,
  data: NewAdminUser,
  example: {
    body: {
      username: EXAMPLE.newUsername,
      email: EXAMPLE.newEmail,
      phoneNumber: EXAMPLE.newPhoneNumber,
      password: EXAMPLE.password,
    },
  },
});

export const deleteUser = operation('DELETE /api/admin/users/{userId}', {
  does: 'Deletes an account with everything in it.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: DeleteUserBody,
  example: { path: { userId: EXAMPLE.user }, body: { username: EXAMPLE.username } },
});

export const changeRole = operation('PATCH /api/admin/users/{userId}/role', {
  does: 'Changes the role of an account.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: RoleBody,
  data: AdminUser,
  example: { path: { userId: EXAMPLE.user }, body: { role: 'MODERATOR' } },
});

export const changeStatus = operation('PATCH /api/admin/users/{userId}/status', {
  does: 'Bans an account, or lifts its ban.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: StatusBody,
  data: AdminUser,
  example: { path: { userId: EXAMPLE.user }, body: { status: 'BANNED' } },
});

export const setPassword = operation('PUT /api/admin/users/{userId}/password', {
  does: 'Sets the password of an account, and ends its login sessions.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: NewPasswordBody,
  data: AdminUser,
  example: { path: { userId: EXAMPLE.user }, body: { newPassword: EXAMPLE.newPassword } },
});

export const resetPassword = operation('POST /api/admin/users/{userId}/password/reset', {
  does: 'Generates a password for an account, and ends its login sessions.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  data: TemporaryPassword,
  example: { path: { userId: EXAMPLE.user } },
});

export const resetSecondFactors = operation('DELETE /api/admin/users/{userId}/second-factors', {
  does: 'Removes the authenticator app, recovery codes and passkeys of an account.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  example: { path: { userId: EXAMPLE.user } },
});

export const deleteIdentity = operation('DELETE /api/admin/users/{userId}/identities/{identityId}', {
  does: 'Unlinks a single sign-on account of a user.',
  access: 'admin',
  appPassword: 'never',
  path: UserIdentityParams,
  example: { path: { userId: EXAMPLE.user, identityId: EXAMPLE.identity } },
});

export const changeQuota = operation('PATCH /api/admin/users/{userId}/storage-quota', {
  does: 'Changes the storage quota of an account.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: QuotaBody,
  data: AdminUser,
  example: { path: { userId: EXAMPLE.user }, body: { storageQuotaBytes: 1_000_000_000 } },
});

export const changeUploadLimit = operation('PATCH /api/admin/users/{userId}/max-upload-size', {
  does: 'Changes the upload size limit of an account.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: UploadLimitBody,
  data: AdminUser,
  example: { path: { userId: EXAMPLE.user }, body: { maxUploadSizeBytes: 1_000_000 } },
});

export const changeMaxEntries = operation('PATCH /api/admin/users/{userId}/max-entries', {
  does: 'Changes how many entries an account may have.',
  access: 'admin',
  appPassword: 'never',
  path: UserParams,
  body: MaxEntriesBody,
  data: AdminUser,
  example: { path: { userId: EXAMPLE.user }, body: { maxEntries: 1_000 } },
});
