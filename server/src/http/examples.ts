// Values that the operations' example requests use. Tests replace them with the values of real objects that
// they have created.

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The ids, tokens and keys in example requests. Each value is used for one object only. */
export const EXAMPLE = {
  file: 1_000_001,
  directory: 1_000_002,
  picture: 1_000_003,
  zip: 1_000_004,
  /** An earlier version of `file`. */
  version: 1_000_005,
  /** An entry in the recycle bin. */
  recycled: 1_000_006,

  /** The storage name of an announced upload, and of one whose bytes have arrived. */
  announced: 'example-announced',
  stored: 'example-stored',
  /** The storage name of an announced avatar, and of one whose bytes have arrived. */
  announcedAvatar: 'example-announced-avatar',
  storedAvatar: 'example-stored-avatar',
  uploadSession: uuid(1),
  /** An upload session whose bytes have all arrived. */
  filledSession: uuid(2),
  tusUpload: uuid(3),
  /** The ticket of an archive to download. */
  download: 'example-download',
  /** The path after `/_dl/` in a signed address, and its query. */
  signedPath: 'example-object',
  signedDigest: 'example-digest',
  signedExpiry: '4102444800',

  /** A shared drive of the caller, into which entries are copied and moved. */
  targetDrive: 1_000_007,

  share: 1_000_011,
  shareToken: 'example-share',
  shareLink: 1_000_012,
  shareLinkToken: 'example-share-link',
  folderLink: 1_000_013,
  /** A folder link that shows its folder and takes files. */
  folderLinkToken: 'example-folder-link',
  folderLinkDownload: 'example-folder-link-download',
  folderLinkUpload: uuid(4),

  /** An ONLINE session that waits for a receiver. */
  transfer: uuid(11),
  pickupCode: 'EXAMPL',
  /** The peers of `transfer` identify themselves with these tokens, once a receiver has joined. */
  senderToken: 'example-sender-token',
  receiverToken: 'example-receiver-token',
  /** An OFFLINE session whose bytes have all arrived, and one of its files. */
  storedTransfer: uuid(12),
  storedFile: uuid(13),
  /** An OFFLINE session whose bytes have not arrived, and one of its files. */
  awaitedTransfer: uuid(15),
  awaitedFile: uuid(16),
  transferUpload: uuid(14),
  /** A login session that follows events, so that it can be offered a transfer. */
  device: 'example-device',

  task: 1_000_021,
  failedTask: 1_000_022,

  user: 1_000_031,
  /** The name of `user`. */
  username: 'example.user',
  /** The name of another account. */
  colleague: 'example.colleague',
  /** A shared drive, its name, and a deleted one. */
  drive: 1_000_051,
  driveName: 'Example drive of tests',
  deletedDrive: 1_000_052,
  loginSession: 'example-login-session',
  appPassword: 1_000_033,
  passkey: 1_000_034,
  identity: 1_000_035,
  refreshToken: 'example-refresh-token',
  /** The ticket of a login that needs a code, and of a login through single sign-on. */
  loginTicket: 'example-login-ticket',
  signOnTicket: 'example-sign-on-ticket',
  /** A code for `loginTicket`, and a code that activates an authenticator app. */
  loginCode: '654321',
  enrolmentCode: '123456',
  /** A verified address of an account, and the tokens of two links that were mailed to it. */
  verifiedEmail: 'example.user@example.org',
  resetToken: 'example-reset-token',
  verificationToken: 'example-verification-token',
  inviteCode: 'example-invite-code',
  invite: 1_000_036,
  /** An unread notification of the caller. */
  notification: 1_000_037,
  /** Values that no account has yet. */
  newUsername: 'new.user',
  newEmail: 'new.user@example.org',
  newPhoneNumber: '+491700000001',
  newInviteCode: 'new-invite-code',
  /** The name of another account. */
  otherUsername: 'other.user',
  /** A member of the shared drive. */
  member: 1_000_053,
  policy: 1_000_041,
  otherPolicy: 1_000_042,
  release: 'holdall-1.0.0.apk',

  password: 'correct horse battery staple',
  newPassword: 'another horse battery staple',

  /** The bytes that examples send. Every announced upload has their size. */
  content: 'sixteen bytes ..',
  filePath: '/example-directory/file.txt',
  picturePath: '/example-directory/picture.png',
  zipPath: '/example-directory/archive.zip',
} as const;
