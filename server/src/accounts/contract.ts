import { type Static, Type } from 'typebox';
import { ByteCount, Id, Nullable, Timestamp } from '../http/fields.ts';

/** The user object in login states and the profile. */
export const User = Type.Object({
  id: Id,
  username: Type.String(),
  displayName: Type.String(),
  email: Nullable(Type.String()),
  phoneNumber: Nullable(Type.String()),
  bio: Nullable(Type.String()),
  preferredLanguage: Nullable(Type.String({ description: 'BCP 47 language tag' })),
  avatarUrl: Nullable(Type.String()),
  role: Type.Enum(['USER', 'MODERATOR', 'ADMIN']),
  createdAt: Timestamp,
  storageQuotaBytes: ByteCount,
  storageUsedBytes: ByteCount,
  maxUploadSizeBytes: ByteCount,
  maxEntries: Type.Integer({ minimum: 1 }),
  entryCount: Type.Integer({
    minimum: 0,
    description: 'files and directories, also those in the recycle bin',
  }),
});
export type User = Static<typeof User>;

export const LoginState = Type.Object({
  token: Type.String({ description: 'the same as accessToken' }),
  accessToken: Type.String(),
  refreshToken: Type.String(),
  expiresIn: Type.Integer({ description: 'seconds until the access token expires' }),
  user: User,
});
export type LoginState = Static<typeof LoginState>;

export const RegisterBody = Type.Object({
  username: Type.String(),
  email: Type.String(),
  phoneNumber: Type.String(),
  password: Type.String(),
  confirmPassword: Type.String(),
  inviteCode: Type.String(),
});
export type RegisterBody = Static<typeof RegisterBody>;

export const LoginBody = Type.Object({ username: Type.String(), password: Type.String() });

export const RefreshBody = Type.Object({ refreshToken: Type.String() });

const devLoginFields = {
  username: Type.Optional(Type.String()),
  role: Type.Optional(Type.Enum(['USER', 'MODERATOR', 'ADMIN'])),
};
export const DevLoginQuery = Type.Object(devLoginFields);
export type DevLoginQuery = Static<typeof DevLoginQuery>;

/** The body may be missing. */
export const DevLoginBody = Nullable(DevLoginQuery);

export const PasswordBody = Type.Object({
  currentPassword: Type.Optional(Type.String()),
  oldPassword: Type.Optional(Type.String({ description: 'another name of currentPassword' })),
  newPassword: Type.String(),
});

/** Missing members stay unchanged. */
export const ProfileBody = Type.Object({
  displayName: Type.Optional(Type.String()),
  email: Type.Optional(Nullable(Type.String())),
  phoneNumber: Type.Optional(Nullable(Type.String())),
  bio: Type.Optional(Nullable(Type.String())),
  preferredLanguage: Type.Optional(Nullable(Type.String())),
});
export type ProfileBody = Static<typeof ProfileBody>;

export const AvatarInitiateBody = Type.Object({
  filename: Type.String(),
  contentType: Type.String({ description: 'image/*' }),
  size: Type.Integer({ minimum: 1 }),
});

export const AvatarUploadQuery = Type.Object({ storageName: Type.Optional(Type.String()) });

export const AvatarUploaded = Type.Object({ storageName: Type.String() });

export const AvatarCompleteBody = Type.Object({ storageName: Type.String() });

/**
 * The service ignores `v`. It gives each new picture a new URL, so that caches do not serve the old picture.
 */
export const AvatarContentQuery = Type.Object({ v: Type.Optional(Type.String()) });
