import { type Static, Type } from 'typebox';
import {
  driveFields,
  EntryFacts,
  EntryParams,
  EntryRecord,
  importFields,
  ImportBody as LinkImportBody,
} from '../drive/contract.ts';
import { envelopedOrFile, redirectResponse } from '../http/download/download-responses.ts';
import { EXAMPLE } from '../http/examples.ts';
import {
  ByteCount,
  Id,
  KeyText,
  Nullable,
  PageOf,
  pageQuery,
  Timestamp,
  TimestampText,
} from '../http/fields.ts';
import { operation } from '../http/operation.ts';
import { CreatedBy, OwnerAvatarQuery, OwnerAvatarUrl } from '../links/contract.ts';
import { ThumbnailQuery, thumbnailResponses } from '../thumbnails/contract.ts';

/** Has the same length limit as a file name. */
const ShareName = Type.String({ maxLength: 255 });
const Password = Type.String({ maxLength: 128 });

/** A missing or null field gets its default. */
const optionFields = {
  password: Type.Optional(Nullable(Password)),
  expiresAt: Type.Optional(Nullable(TimestampText)),
  maxDownloads: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
  allowImport: Type.Optional(Nullable(Type.Boolean())),
  allowDownload: Type.Optional(Nullable(Type.Boolean())),
  shareName: Type.Optional(Nullable(ShareName)),
};

/** Missing fields stay unchanged; null resets a field to its default. */
export const ChangeBody = Type.Object(optionFields);
export type ChangeBody = Static<typeof ChangeBody>;

export const CreateBody = Type.Object({ fileId: Id, ...optionFields });
export type CreateBody = Static<typeof CreateBody>;

/** A shared file. Only those who may use its drive see its path, and the facts of the drive. */
const SharedFile = Type.Object({
  ...EntryFacts.properties,
  path: Type.Optional(EntryFacts.properties.path),
  parentPath: Type.Optional(EntryFacts.properties.parentPath),
  driveId: Type.Optional(driveFields.driveId),
  changedBy: driveFields.changedBy,
});

/** A share in a response. Fields not listed here are never sent. */
export const ShareSummary = Type.Object({
  id: Id,
  token: Type.String(),
  shareName: Type.String(),
  ownerUsername: Type.String(),
  ownerAvatarUrl: OwnerAvatarUrl,
  passwordRequired: Type.Boolean(),
  passwordVerified: Type.Boolean(),
  allowImport: Type.Boolean(),
  allowDownload: Type.Boolean(),
  maxDownloads: Nullable(Type.Integer()),
  downloadCount: Type.Integer(),
  viewCount: Type.Integer(),
  expiresAt: Nullable(Timestamp),
  expired: Type.Boolean(),
  exhausted: Type.Boolean(),
  createdAt: Timestamp,
  createdBy: CreatedBy,
  file: Type.Optional(SharedFile),
});
export type ShareSummary = Static<typeof ShareSummary>;

const TokenParams = Type.Object({ token: KeyText });
const ShareParams = Type.Object({ id: Id });
const MineQuery = Type.Object(pageQuery);

const ShareQuery = Type.Object({
  download: Type.Optional(Type.Unknown({ description: 'present with any value: the file itself' })),
  password: Type.Optional(Password),
});

export const PasswordBody = Type.Object({ password: Password });

export const ImportBody = Nullable(
  Type.Object({
    ...importFields,
    password: Type.Optional(Nullable(Password)),
  }),
);

export const createShare = operation('POST /api/v2/shares', {
  does: 'Shares a file.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: CreateBody,
  data: ShareSummary,
  example: { body: { fileId: EXAMPLE.file, password: EXAMPLE.password } },
});

export const listShares = operation('GET /api/v2/shares/mine', {
  does: 'Lists the shares of the caller, the newest first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: MineQuery,
  data: PageOf(ShareSummary),
  example: {},
});

export const changeShare = operation('PATCH /api/v2/shares/{id}', {
  does: 'Changes a share of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: ShareParams,
  body: ChangeBody,
  data: ShareSummary,
  example: { path: { id: EXAMPLE.share }, body: { maxDownloads: 3, password: EXAMPLE.password } },
});

export const deleteShare = operation('DELETE /api/v2/shares/{id}', {
  does: 'Deletes a share of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: ShareParams,
  example: { path: { id: EXAMPLE.share } },
});

export const getShare = operation('GET /api/v2/shares/{token}', {
  does: 'Shows a share to its visitor, or downloads its file.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: ShareQuery,
  data: ShareSummary,
  responses: { ...envelopedOrFile(ShareSummary), ...redirectResponse },
  example: { path: { token: EXAMPLE.shareToken } },
});

export const verifySharePassword = operation('POST /api/v2/shares/{token}/verify-password', {
  does: 'Checks the password of a share, and lets the browser download its file.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  body: PasswordBody,
  data: ShareSummary,
  example: { path: { token: EXAMPLE.shareToken }, body: { password: EXAMPLE.password } },
});

export const importShare = operation('POST /api/v2/shares/{token}/import', {
  does: 'Copies the file of a share into the drive of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: TokenParams,
  body: ImportBody,
  data: EntryRecord,
  example: { path: { token: EXAMPLE.shareToken }, body: { path: '/' } },
});

const linkFields = {
  token: Type.String(),
  url: Type.String(),
  filename: Type.String(),
  size: ByteCount,
  contentType: Nullable(Type.String()),
  directory: Type.Boolean(),
  createdAt: Timestamp,
};

export const ShareLink = Type.Object(linkFields);
export type ShareLink = Static<typeof ShareLink>;

/** A link as the users of its drive see it. */
export const OwnShareLink = Type.Object({
  id: Id,
  ...linkFields,
  viewCount: Type.Integer(),
  importCount: Type.Integer(),
  createdBy: CreatedBy,
  file: EntryRecord,
});
export type OwnShareLink = Static<typeof OwnShareLink>;

export const PublicShareLink = Type.Object({
  ...linkFields,
  ownerUsername: Type.String(),
  ownerAvatarUrl: OwnerAvatarUrl,
  fileCount: Type.Optional(Type.Integer({ description: 'for a folder: the number of files below it' })),
});
export type PublicShareLink = Static<typeof PublicShareLink>;

export const getShareThumbnail = operation('GET /api/v2/shares/{token}/thumbnail', {
  does: 'Sends the thumbnail of a shared file.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: ThumbnailQuery,
  responses: thumbnailResponses,
  example: { path: { token: EXAMPLE.shareToken }, query: { size: 256 } },
});

export const getShareOwnerAvatar = operation('GET /api/v2/shares/{token}/owner-avatar', {
  does: 'Sends the profile picture of the person who shares a file.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: OwnerAvatarQuery,
  responses: thumbnailResponses,
  example: { path: { token: EXAMPLE.shareToken } },
});

export const createShareLink = operation('POST /api/files/{fileId}/share-links', {
  does: 'Creates the link to a file or directory, or returns the one that there is.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  data: ShareLink,
  example: { path: { fileId: EXAMPLE.file } },
});

export const getShareLink = operation('GET /api/files/share-links/{token}', {
  does: 'Shows a link to its visitor.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  data: PublicShareLink,
  example: { path: { token: EXAMPLE.shareLinkToken } },
});

export const getShareLinkOwnerAvatar = operation('GET /api/files/share-links/{token}/owner-avatar', {
  does: 'Sends the profile picture of the person who made a link.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: OwnerAvatarQuery,
  responses: thumbnailResponses,
  example: { path: { token: EXAMPLE.shareLinkToken } },
});

export const listShareLinks = operation('GET /api/v2/share-links/mine', {
  does: 'Lists the links of the caller, the newest first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: MineQuery,
  data: PageOf(OwnShareLink),
  example: {},
});

export const deleteShareLink = operation('DELETE /api/v2/share-links/{id}', {
  does: 'Deletes a link of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: ShareParams,
  example: { path: { id: EXAMPLE.shareLink } },
});

export const importShareLink = operation('POST /api/files/share-links/{token}/import', {
  does: 'Copies the file or directory of a link into the drive of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: TokenParams,
  body: LinkImportBody,
  data: EntryRecord,
  example: { path: { token: EXAMPLE.shareLinkToken }, body: { path: '/' } },
});
