import { type Static, Type } from 'typebox';
import { FOLDER_LINK_MODES } from '../base/domain/folder-links.ts';
import {
  EntryRecord,
  OnConflict,
  SignedUrl,
  SORT_KEYS,
  shapeFields,
  ZipTicketQuery,
} from '../drive/contract.ts';
import { downloadResponses } from '../http/download/download-responses.ts';
import { EXAMPLE } from '../http/examples.ts';
import {
  ByteCount,
  FileBytes,
  Id,
  KeyText,
  Nullable,
  PageOf,
  PathText,
  pageQuery,
  Timestamp,
  TimestampText,
} from '../http/fields.ts';
import { operation } from '../http/operation.ts';
import { CreatedBy, OwnerAvatarQuery, OwnerAvatarUrl } from '../links/contract.ts';
import { ThumbnailQuery, thumbnailResponses } from '../thumbnails/contract.ts';
import { tusOperations } from '../uploads/contract.ts';

const LinkedPath = { ...PathText, description: 'below the link, whose root is `/`' };
const Mode = Type.Enum([...FOLDER_LINK_MODES]);
const Limit = Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })));
const Password = Type.String({ maxLength: 128 });

/** A field that is missing or null gets its default. */
const optionFields = {
  title: Type.Optional(Nullable(Type.String({ maxLength: 128 }))),
  note: Type.Optional(Nullable(Type.String({ maxLength: 2_000 }))),
  password: Type.Optional(Nullable(Password)),
  expiresAt: Type.Optional(Nullable(TimestampText)),
  maxFiles: Limit,
  maxBytes: Limit,
};

export const CreateBody = Type.Object({
  directoryId: { ...Nullable(Id), description: 'null for the root of the drive' },
  mode: Mode,
  ...optionFields,
});
export type CreateBody = Static<typeof CreateBody>;

/** Missing fields stay unchanged; null resets a field to its default. */
export const ChangeBody = Type.Object({ mode: Type.Optional(Mode), ...optionFields });
export type ChangeBody = Static<typeof ChangeBody>;

/** A link as the users of its drive see it. */
export const FolderLinkRecord = Type.Object({
  id: Id,
  token: Type.String(),
  directoryId: Id,
  directoryPath: Nullable(Type.String({ description: 'null while it is in the recycle bin' })),
  inBin: Type.Boolean(),
  mode: Mode,
  title: Type.String(),
  note: Nullable(Type.String()),
  passwordProtected: Type.Boolean(),
  expiresAt: Nullable(Timestamp),
  maxFiles: Nullable(Type.Integer()),
  maxBytes: Nullable(Type.Integer()),
  receivedFiles: Type.Integer(),
  receivedBytes: ByteCount,
  createdAt: Timestamp,
  createdBy: CreatedBy,
});
export type FolderLinkRecord = Static<typeof FolderLinkRecord>;

/** A link in the list of its drive. */
export const ListedFolderLink = Type.Object({
  ...FolderLinkRecord.properties,
  token: Nullable(
    Type.String({ description: 'null for a caller who may only read, if the link takes uploads' }),
  ),
});
export type ListedFolderLink = Static<typeof ListedFolderLink>;

/** A link as everyone sees it. Fields that are not listed here are never sent. */
export const PublicFolderLink = Type.Object({
  token: Type.String(),
  mode: Mode,
  title: Type.String(),
  note: Nullable(Type.String()),
  ownerName: Type.String(),
  ownerAvatarUrl: OwnerAvatarUrl,
  passwordRequired: Type.Boolean(),
  passwordVerified: Type.Boolean({ description: 'whether the password is not required, or was entered' }),
  expiresAt: Nullable(Timestamp),
  remainingFiles: Nullable(Type.Integer({ description: 'null: no limit' })),
  remainingBytes: Nullable(Type.Integer({ description: 'null: no limit' })),
});
export type PublicFolderLink = Static<typeof PublicFolderLink>;

/** A file or directory below a link. The path begins at the link. */
export const LinkedEntry = Type.Object({
  name: Type.String(),
  path: Type.String(),
  size: ByteCount,
  contentType: Nullable(Type.String()),
  directory: Type.Boolean(),
  modifiedAt: Timestamp,
  thumbnailVersion: Nullable(Type.String()),
  ...shapeFields,
});
export type LinkedEntry = Static<typeof LinkedEntry>;

/** The fields may precede or follow the file. */
const UploadForm = Type.Object({
  file: FileBytes,
  path: Type.Optional({ ...PathText, description: 'below the link; only where the mode is BOTH' }),
  sender: Type.Optional(Type.String({ maxLength: 64, description: 'the name of the visitor' })),
  modifiedAt: Type.Optional(TimestampText),
});

/** By default an import goes to the root directory. */
export const ImportBody = Type.Object({
  path: LinkedPath,
  targetPath: Type.Optional(Nullable(PathText)),
  onConflict: OnConflict,
});

const LinkThumbnailQuery = Type.Object({ path: LinkedPath, ...ThumbnailQuery.properties });

export const ReceivedFile = Type.Object({
  name: Type.String({ description: 'as stored; where the mode is UPLOAD, as sent' }),
  size: ByteCount,
});

const LinkParams = Type.Object({ id: Id });
export const TokenParams = Type.Object({ token: KeyText });
const MineQuery = Type.Object(pageQuery);
export const PasswordBody = Type.Object({ password: Password });

const EntriesQuery = Type.Object({
  path: Type.Optional(LinkedPath),
  ...pageQuery,
  sort: Type.Optional(Type.Enum([...SORT_KEYS])),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
});

const MAX_DOWNLOADED_PATHS = 1_000;

/** The paths to download as one archive by a short URL. */
export const DownloadsBody = Type.Object({
  paths: Type.Array(LinkedPath, { minItems: 1, maxItems: MAX_DOWNLOADED_PATHS }),
});

const DownloadQuery = Type.Object({
  path: Type.Union([
    LinkedPath,
    Type.Array(LinkedPath, {
      minItems: 1,
      maxItems: MAX_DOWNLOADED_PATHS,
      description: 'repeated for one archive of several files and directories',
    }),
  ]),
});

export const createFolderLink = operation('POST /api/v2/folder-links', {
  does: 'Creates a link to a directory.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  body: CreateBody,
  data: FolderLinkRecord,
  example: { body: { directoryId: EXAMPLE.directory, mode: 'BOTH', password: EXAMPLE.password } },
});

export const listFolderLinks = operation('GET /api/v2/folder-links/mine', {
  does: 'Lists the folder links of the caller, the newest first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: MineQuery,
  data: PageOf(ListedFolderLink),
  example: {},
});

export const changeFolderLink = operation('PATCH /api/v2/folder-links/{id}', {
  does: 'Changes a folder link of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: LinkParams,
  body: ChangeBody,
  data: FolderLinkRecord,
  example: { path: { id: EXAMPLE.folderLink }, body: { title: 'Summer', password: EXAMPLE.password } },
});

export const deleteFolderLink = operation('DELETE /api/v2/folder-links/{id}', {
  does: 'Deletes a folder link of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: LinkParams,
  example: { path: { id: EXAMPLE.folderLink } },
});

export const getFolderLink = operation('GET /api/v2/folder-links/{token}', {
  does: 'Shows a folder link to its visitor.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  data: PublicFolderLink,
  example: { path: { token: EXAMPLE.folderLinkToken } },
});

export const verifyFolderLinkPassword = operation('POST /api/v2/folder-links/{token}/verify-password', {
  does: 'Checks the password of a folder link, and lets the browser use the link.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  body: PasswordBody,
  example: { path: { token: EXAMPLE.folderLinkToken }, body: { password: EXAMPLE.password } },
});

export const listLinkedEntries = operation('GET /api/v2/folder-links/{token}/entries', {
  does: 'Lists a directory below a folder link.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: EntriesQuery,
  data: PageOf(LinkedEntry),
  example: { path: { token: EXAMPLE.folderLinkToken }, query: { path: '/' } },
});

export const getLinkedThumbnail = operation('GET /api/v2/folder-links/{token}/thumbnail', {
  does: 'Sends the thumbnail of a file below a folder link.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: LinkThumbnailQuery,
  responses: thumbnailResponses,
  example: { path: { token: EXAMPLE.folderLinkToken }, query: { path: '/picture.png', size: 256 } },
});

export const getFolderLinkOwnerAvatar = operation('GET /api/v2/folder-links/{token}/owner-avatar', {
  does: 'Sends the profile picture of the person whose folder a link shows.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: OwnerAvatarQuery,
  responses: thumbnailResponses,
  example: { path: { token: EXAMPLE.folderLinkToken } },
});

export const importLinkedEntry = operation('POST /api/v2/folder-links/{token}/import', {
  does: 'Copies a file or directory below a folder link into the drive of the caller.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: TokenParams,
  body: ImportBody,
  data: EntryRecord,
  example: { path: { token: EXAMPLE.folderLinkToken }, body: { path: '/', targetPath: '/' } },
});

export const uploadToFolderLink = operation('POST /api/v2/folder-links/{token}/uploads', {
  does: 'Uploads a file through a folder link.',
  access: 'public',
  appPassword: 'write',
  path: TokenParams,
  form: UploadForm,
  data: ReceivedFile,
  example: { path: { token: EXAMPLE.folderLinkToken }, form: { sender: 'Bob', file: EXAMPLE.content } },
});

export const downloadLinkedEntries = operation('GET /api/v2/folder-links/{token}/download', {
  does: 'Downloads a file below a folder link, or several entries as one archive.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: DownloadQuery,
  responses: downloadResponses,
  example: { path: { token: EXAMPLE.folderLinkToken }, query: { path: '/' } },
});

export const createLinkedArchive = operation('POST /api/v2/folder-links/{token}/downloads', {
  does: 'Creates a short address that downloads entries below a folder link.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  body: DownloadsBody,
  data: SignedUrl,
  example: { path: { token: EXAMPLE.folderLinkToken }, body: { paths: ['/'] } },
});

export const downloadLinkedArchive = operation('GET /api/v2/folder-links/{token}/downloads', {
  does: 'Downloads what a short address stands for.',
  access: 'public',
  appPassword: 'read',
  path: TokenParams,
  query: ZipTicketQuery,
  responses: downloadResponses,
  example: { path: { token: EXAMPLE.folderLinkToken }, query: { ticket: EXAMPLE.folderLinkDownload } },
});

export const visitorTusOperations = tusOperations({
  uploads: '/api/v2/folder-links/{token}/tus',
  upload: '/api/v2/folder-links/{token}/tus/{sessionId}',
  access: 'public',
  path: TokenParams.properties,
  example: { token: EXAMPLE.folderLinkToken, sessionId: EXAMPLE.folderLinkUpload },
});
