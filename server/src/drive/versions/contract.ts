import { type Static, Type } from 'typebox';
import { downloadResponses } from '../../http/download/download-responses.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { ByteCount, Id, Nullable, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_VERSIONS } from '../content/former-contents.ts';
import { EntryParams, EntryRecord } from '../contract.ts';

/** A former content of a file. */
export const FileVersion = Type.Object({
  id: Id,
  size: ByteCount,
  sha256: Nullable(Type.String()),
  modifiedAt: Timestamp,
  replacedAt: Timestamp,
});
export type FileVersion = Static<typeof FileVersion>;

const VersionParams = Type.Object({ fileId: Id, versionId: Id });

export const listVersions = operation('GET /api/v2/files/{fileId}/versions', {
  does: 'Lists the versions of a file, the newest first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: EntryParams,
  data: Type.Array(FileVersion, { maxItems: MAX_VERSIONS }),
  example: { path: { fileId: EXAMPLE.file } },
});

export const downloadVersion = operation('GET /api/v2/files/{fileId}/versions/{versionId}', {
  does: 'Downloads a version of a file.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  path: VersionParams,
  responses: downloadResponses,
  example: { path: { fileId: EXAMPLE.file, versionId: EXAMPLE.version } },
});

export const restoreVersion = operation('POST /api/v2/files/{fileId}/versions/{versionId}/restore', {
  does: 'Makes a version the content of its file again.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: VersionParams,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.file, versionId: EXAMPLE.version } },
});

export const deleteVersion = operation('DELETE /api/v2/files/{fileId}/versions/{versionId}', {
  does: 'Deletes a version of a file.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: VersionParams,
  example: { path: { fileId: EXAMPLE.file, versionId: EXAMPLE.version } },
});
