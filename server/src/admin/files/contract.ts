import { type Static, Type } from 'typebox';
import { EntryFacts } from '../../drive/contract.ts';
import { FolderLinkRecord } from '../../folder-links/contract.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { ByteCount, Id, Nullable, PageOf, pageQuery, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { Count, Filter, owningDrive, Text } from '../fields.ts';

const FilesQuery = Type.Object({ ...pageQuery, query: Filter, ownerQuery: Filter });

export const AdminFile = Type.Object({ ...EntryFacts.properties, ...owningDrive });
export type AdminFile = Static<typeof AdminFile>;

const SharesQuery = Type.Object({
  ...pageQuery,
  userQuery: Filter,
  fileName: Filter,
  token: Filter,
  passwordProtected: Type.Optional(Type.Boolean()),
  expired: Type.Optional(Type.Boolean()),
});
export type SharesQuery = Static<typeof SharesQuery>;

export const AdminShare = Type.Object({
  id: Id,
  kind: Type.Enum(['V2', 'LEGACY']),
  token: Text,
  shareName: Text,
  ...owningDrive,
  passwordRequired: Type.Boolean(),
  passwordVerified: Type.Boolean(),
  passwordProtected: Type.Boolean(),
  allowImport: Type.Boolean(),
  allowDownload: Type.Boolean(),
  maxDownloads: Nullable(Type.Integer()),
  downloadCount: Count,
  viewCount: Count,
  expiresAt: Nullable(Timestamp),
  expired: Type.Boolean(),
  exhausted: Type.Boolean(),
  createdAt: Timestamp,
  fileId: Id,
  fileName: Text,
  filePath: Text,
  fileSize: ByteCount,
  fileContentType: Nullable(Text),
});
export type AdminShare = Static<typeof AdminShare>;

export const AdminFolderLink = Type.Object({
  ...FolderLinkRecord.properties,
  ...owningDrive,
  expired: Type.Boolean(),
});
export type AdminFolderLink = Static<typeof AdminFolderLink>;

export const listFiles = operation('GET /api/admin/files', {
  does: 'Lists the files and directories of all drives, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: FilesQuery,
  data: PageOf(AdminFile),
  example: { query: { query: 'report', page: 0, size: 20 } },
});

export const recycleFile = operation('DELETE /api/admin/files/{fileId}', {
  does: 'Moves a file or directory of any drive to its recycle bin.',
  access: 'admin',
  appPassword: 'never',
  path: Type.Object({ fileId: Id }),
  example: { path: { fileId: EXAMPLE.file } },
});

export const listShares = operation('GET /api/admin/shares', {
  does: 'Lists the shares and share links of all drives, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: SharesQuery,
  data: PageOf(AdminShare),
  example: { query: { expired: false, page: 0, size: 20 } },
});

export const deleteShare = operation('DELETE /api/admin/shares/{shareId}', {
  does: 'Deletes a share or share link of any drive.',
  access: 'admin',
  appPassword: 'never',
  path: Type.Object({ shareId: Id }),
  example: { path: { shareId: EXAMPLE.share } },
});

export const listFolderLinks = operation('GET /api/admin/folder-links', {
  does: 'Lists the folder links of all drives, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: SharesQuery,
  data: PageOf(AdminFolderLink),
  example: { query: { expired: false, page: 0, size: 20 } },
});

export const deleteFolderLink = operation('DELETE /api/admin/folder-links/{linkId}', {
  does: 'Deletes a folder link of any drive.',
  access: 'admin',
  appPassword: 'never',
  path: Type.Object({ linkId: Id }),
  example: { path: { linkId: EXAMPLE.folderLink } },
});
