import { type Static, Type } from 'typebox';
import {
  ByteCount,
  ContentTypeText,
  Id,
  KeyText,
  NameText,
  Nullable,
  Timestamp,
  TimestampText,
  Uuid,
} from '../http/fields.ts';
import { MAX_PASSWORD_LENGTH } from './passwords/passwords.ts';

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
  mustChangePassword: Type.Boolean({
    description: 'whether every other call is refused until it is changed',
  }),
  createdAt: Timestamp,
  storageQuotaBytes: ByteCount,
  storageUsedBytes: ByteCount,
  keptBytes: Type.Integer({
    minimum: 0,
    description: 'of the recycle bin and of former versions, which do not count as used',
  }),
  maxKeptBytes: ByteCount,
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
  mustChangePassword: Type.Boolean({ description: 'as in user' }),
  mustSetUpSecondFactor: Type.Optional(
    Type.Boolean({
      description:
        'true while most calls are refused until the account has a second factor; absent otherwise',
    }),
  ),
  user: User,
});
export type LoginState = Static<typeof LoginState>;

export const UsernameText = Type.String({ maxLength: 256 });
export const EmailText = Type.String({ maxLength: 1_024 });
export const PhoneText = Type.String({ maxLength: 64 });
/** A password that a caller chooses, or tries. */
export const PasswordText = Type.String({ maxLength: MAX_PASSWORD_LENGTH });

/** The proof that the caller is the owner. The body may be missing where a recent login is enough. */
export const OwnerBody = Nullable(Type.Object({ password: Type.Optional(PasswordText) }));

export const RegisterBody = Type.Object({
  username: UsernameText,
  email: EmailText,
  phoneNumber: PhoneText,
  password: PasswordText,
  confirmPassword: PasswordText,
  inviteCode: KeyText,
});
export type RegisterBody = Static<typeof RegisterBody>;

/** Headers of every call that gives a login state. */
export const DeviceHeaders = Type.Object({
  'x-service-device': Type.Optional(
    Type.String({ ...Uuid, description: 'a UUID that the client creates once for its device, and keeps' }),
  ),
});

export const LoginBody = Type.Object({ username: UsernameText, password: PasswordText });

export const RefreshBody = Type.Object({ refreshToken: KeyText });

const devLoginFields = {
  username: Type.Optional(UsernameText),
  role: Type.Optional(Type.Enum(['USER', 'MODERATOR', 'ADMIN'])),
};
export const DevLoginQuery = Type.Object(devLoginFields);
export type DevLoginQuery = Static<typeof DevLoginQuery>;

/** The body may be missing. */
export const DevLoginBody = Nullable(DevLoginQuery);

export const PasswordBody = Type.Object({
  currentPassword: Type.Optional(PasswordText),
  oldPassword: Type.Optional(
    Type.String({ ...PasswordText, description: 'another name of currentPassword' }),
  ),
  newPassword: PasswordText,
  endAppPasswords: Type.Optional(
    Type.Boolean({ description: 'whether all app passwords of the account are deleted, too' }),
  ),
});

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

export const LoginSessionParams = Type.Object({ id: Type.String({ maxLength: 128 }) });

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

export const AppPasswordParams = Type.Object({ id: Id });

/** Missing members stay unchanged. */
export const ProfileBody = Type.Object({
  displayName: Type.Optional(Type.String({ maxLength: 512 })),
  email: Type.Optional(Nullable(EmailText)),
  phoneNumber: Type.Optional(Nullable(PhoneText)),
  bio: Type.Optional(Nullable(Type.String({ maxLength: 2_048 }))),
  preferredLanguage: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
});
export type ProfileBody = Static<typeof ProfileBody>;

export const AvatarInitiateBody = Type.Object({
  filename: NameText,
  contentType: Type.String({ ...ContentTypeText, description: 'image/*' }),
  size: Type.Integer({ minimum: 1 }),
});

export const AvatarUploadQuery = Type.Object({ storageName: Type.Optional(KeyText) });

export const AvatarUploaded = Type.Object({ storageName: Type.String() });

export const AvatarCompleteBody = Type.Object({ storageName: KeyText });

/**
 * The service ignores `v`. It gives each new picture a new URL, so that caches do not serve the old picture.
 */
export const AvatarContentQuery = Type.Object({ v: Type.Optional(KeyText) });
