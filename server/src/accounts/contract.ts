import { type Static, Type } from 'typebox';
import { errorEnvelopeWith } from '../http/envelope.ts';
import { EXAMPLE } from '../http/examples.ts';
import { ByteCount, Id, KeyText, Nullable, Timestamp, Uuid } from '../http/fields.ts';
import { operation } from '../http/operation.ts';
import { MAX_PASSWORD_LENGTH } from './passwords/passwords.ts';

/** The user object in login states and the profile. */
export const User = Type.Object({
  id: Id,
  username: Type.String(),
  displayName: Type.String(),
  email: Nullable(Type.String()),
  emailVerified: Type.Boolean({
    description: 'whether mail to this address is known to reach the owner; false without an address',
  }),
  phoneNumber: Nullable(Type.String()),
  bio: Nullable(Type.String()),
  preferredLanguage: Nullable(Type.String({ description: 'BCP 47 language tag' })),
  firstStepsHidden: Type.Boolean({ description: 'whether the user has hidden the list of first steps' }),
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
const LanguageText = Type.String({ maxLength: 128, description: 'BCP 47 language tag' });
export const PhoneText = Type.String({ maxLength: 64 });
/** A password that a caller chooses or enters. */
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
  preferredLanguage: Type.Optional(LanguageText),
});
export type RegisterBody = Static<typeof RegisterBody>;

/** What an invite says before it is used. */
export const Invitation = Type.Object({
  inviterName: Nullable(
    Type.String({ description: 'the display name of the administrator who created the invite' }),
  ),
});
export type Invitation = Static<typeof Invitation>;

/** Headers of every call that returns a login state. */
export const DeviceHeaders = Type.Object({
  'x-service-device': Type.Optional(
    Type.String({ ...Uuid, description: 'a UUID that the client creates once for its device, and keeps' }),
  ),
});

export const LoginBody = Type.Object({ username: UsernameText, password: PasswordText });

export const RefreshBody = Type.Object({ refreshToken: KeyText });

/** What a login still needs after the right password: a code, together with the ticket. */
const NeededSecondFactor = Nullable(
  Type.Object({
    secondFactor: Type.Array(Type.Enum(['TOTP', 'RECOVERY']), { maxItems: 2 }),
    ticket: Type.String({ description: 'for `/api/auth/second-factor`, within 5 minutes' }),
  }),
);

const DevLoginQuery = Type.Object({
  username: Type.Optional(UsernameText),
  role: Type.Optional(Type.Enum(['USER', 'MODERATOR', 'ADMIN'])),
});

const PasswordBody = Type.Object({
  currentPassword: Type.Optional(PasswordText),
  oldPassword: Type.Optional(
    Type.String({ ...PasswordText, description: 'another name of currentPassword' }),
  ),
  newPassword: PasswordText,
  endAppPasswords: Type.Optional(
    Type.Boolean({ description: 'whether all app passwords of the account are deleted, too' }),
  ),
});

/** Missing members stay unchanged. */
export const ProfileBody = Type.Object({
  displayName: Type.Optional(Type.String({ maxLength: 512 })),
  email: Type.Optional(Nullable(EmailText)),
  phoneNumber: Type.Optional(Nullable(PhoneText)),
  bio: Type.Optional(Nullable(Type.String({ maxLength: 2_048 }))),
  preferredLanguage: Type.Optional(Nullable(LanguageText)),
  firstStepsHidden: Type.Optional(Type.Boolean()),
  password: Type.Optional(
    Type.String({
      ...PasswordText,
      description: 'proves who changes the address, if the login is older than 15 minutes',
    }),
  ),
});
export type ProfileBody = Static<typeof ProfileBody>;

export const ChangedProfile = Type.Object({
  ...User.properties,
  verificationMailed: Type.Optional(
    Type.Boolean({
      description:
        'only after a change to an address that needs verification, while mail is on: false if no mail was ' +
        'sent, because the account had too many',
    }),
  ),
});
export type ChangedProfile = Static<typeof ChangedProfile>;

export const register = operation('POST /api/auth/register', {
  does: 'Creates an account with an invite code, and logs in.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  body: RegisterBody,
  data: LoginState,
  example: {
    body: {
      username: EXAMPLE.newUsername,
      email: EXAMPLE.newEmail,
      phoneNumber: EXAMPLE.newPhoneNumber,
      password: EXAMPLE.password,
      confirmPassword: EXAMPLE.password,
      inviteCode: EXAMPLE.inviteCode,
    },
  },
});

export const describeInvitation = operation('POST /api/auth/invitation', {
  does: 'Tells who invites with an invite code.',
  access: 'public',
  appPassword: 'never',
  body: Type.Object({ inviteCode: KeyText }),
  data: Invitation,
  example: { body: { inviteCode: EXAMPLE.inviteCode } },
});

export const logIn = operation('POST /api/auth/login', {
  does: 'Logs in with a username and a password.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  body: LoginBody,
  data: LoginState,
  responses: { 401: errorEnvelopeWith(NeededSecondFactor) },
  example: { body: { username: EXAMPLE.username, password: EXAMPLE.password } },
});

export const refreshLogin = operation('POST /api/auth/refresh', {
  does: 'Exchanges a refresh token for a new login state.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  body: RefreshBody,
  data: LoginState,
  example: { body: { refreshToken: EXAMPLE.refreshToken } },
});

export const logOut = operation('POST /api/auth/logout', {
  does: 'Logs the caller out.',
  access: 'login',
  appPassword: 'never',
  beforePasswordChange: true,
  beforeSecondFactor: true,
  example: {},
});

/** Mounted only if the environment enables it, because it needs no password. */
export const devLogIn = operation('POST /api/auth/dev-login', {
  does: 'Logs in without a password, where the service is set up for development.',
  access: 'public',
  appPassword: 'never',
  headers: DeviceHeaders,
  query: DevLoginQuery,
  // The body may be missing.
  body: Nullable(DevLoginQuery),
  data: LoginState,
  example: { body: { username: EXAMPLE.newUsername, role: 'USER' } },
});

export const getProfile = operation('GET /api/user/profile', {
  does: 'Shows the profile, quota and usage of the caller.',
  access: 'login',
  appPassword: 'read',
  beforePasswordChange: true,
  beforeSecondFactor: true,
  data: User,
  example: {},
});

export const changeProfile = operation('PUT /api/user/profile', {
  does: 'Changes the profile of the caller.',
  access: 'login',
  appPassword: 'never',
  body: ProfileBody,
  data: ChangedProfile,
  example: { body: { displayName: 'Example User', preferredLanguage: 'en' } },
});

export const changePassword = operation('POST /api/user/password', {
  does: 'Changes the password of the caller, and ends all other login sessions.',
  access: 'login',
  appPassword: 'never',
  beforePasswordChange: true,
  headers: DeviceHeaders,
  body: PasswordBody,
  data: LoginState,
  example: { body: { currentPassword: EXAMPLE.password, newPassword: EXAMPLE.newPassword } },
});
