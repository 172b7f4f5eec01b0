import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { ByteCount, Id, KindOfDrive, NameText, Nullable, RoleInDrive, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_LISTED_DRIVES } from '../bounds.ts';
import { MAX_FIRST_MEMBERS } from './drive-creation.ts';

export const DriveRecord = Type.Object({
  id: Id,
  kind: KindOfDrive,
  name: Nullable(Type.String()),
  role: RoleInDrive,
  usedBytes: ByteCount,
  quotaBytes: ByteCount,
  entryCount: Type.Integer(),
  maxEntries: Type.Integer(),
  maxUploadBytes: ByteCount,
  memberCount: Type.Integer(),
  createdAt: Timestamp,
  deletedAt: Nullable(Timestamp),
  mayCreateDrives: Type.Optional(
    Type.Boolean({
      description:
        'whether the caller may create shared drives here; only in the list, in the personal drive',
    }),
  ),
  findsContent: Type.Optional(
    Type.Boolean({
      description: 'whether searches find the content of files here; only in the list, in the personal drive',
    }),
  ),
});
export type DriveRecord = Static<typeof DriveRecord>;

const DriveParams = Type.Object({ id: Id });

export const listDrives = operation('GET /api/v2/drives', {
  does: 'Lists the drives of the caller: the personal drive first, then the shared ones by name.',
  access: 'login',
  appPassword: 'read',
  query: Type.Object({
    deleted: Type.Optional(Type.Boolean({ description: 'lists the deleted shared drives instead' })),
  }),
  data: Type.Array(DriveRecord, { maxItems: MAX_LISTED_DRIVES + 1 }),
  example: {},
});

export const createDrive = operation('POST /api/v2/drives', {
  does: 'Creates a shared drive, empty or from a directory, whose manager is the caller.',
  access: 'login',
  appPassword: 'never',
  body: Type.Object({
    name: NameText,
    fromFileId: Type.Optional(Id),
    members: Type.Optional(
      Type.Array(Type.Object({ username: Type.String({ maxLength: 256 }), role: RoleInDrive }), {
        maxItems: MAX_FIRST_MEMBERS,
      }),
    ),
  }),
  data: DriveRecord,
  example: {
    body: {
      name: 'Example drive',
      fromFileId: EXAMPLE.directory,
      members: [{ username: EXAMPLE.colleague, role: 'EDITOR' }],
    },
  },
});

export const renameDrive = operation('PATCH /api/v2/drives/{id}', {
  does: 'Renames a shared drive.',
  access: 'login',
  appPassword: 'never',
  path: DriveParams,
  body: Type.Object({ name: NameText }),
  data: DriveRecord,
  example: { path: { id: EXAMPLE.drive }, body: { name: 'New name' } },
});

export const deleteDrive = operation('DELETE /api/v2/drives/{id}', {
  does: 'Deletes a shared drive, which its managers can restore for 10 days.',
  access: 'login',
  appPassword: 'never',
  path: DriveParams,
  body: Type.Object({ name: NameText }),
  example: { path: { id: EXAMPLE.drive }, body: { name: EXAMPLE.driveName } },
});

export const restoreDrive = operation('POST /api/v2/drives/{id}/restore', {
  does: 'Restores a deleted shared drive.',
  access: 'login',
  appPassword: 'never',
  path: DriveParams,
  data: DriveRecord,
  example: { path: { id: EXAMPLE.deletedDrive } },
});
