import { type Static, Type } from 'typebox';
import { MAX_MEMBERS } from '../../drives/drives.ts';
import { EXAMPLE } from '../../http/examples.ts';
import {
  ByteCount,
  Id,
  KindOfDrive,
  NameText,
  Nullable,
  PageOf,
  pageQuery,
  RoleInDrive,
  Timestamp,
} from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { Bytes, Count, EntryLimit, Filter, Text } from '../fields.ts';

const DrivesQuery = Type.Object({
  ...pageQuery,
  query: Filter,
  kind: Type.Optional(KindOfDrive),
  deleted: Type.Optional(Type.Boolean()),
});

export const AdminDrive = Type.Object({
  id: Id,
  kind: KindOfDrive,
  name: Nullable(Type.String({ description: 'null for a personal drive' })),
  ownerId: Nullable(Type.Integer({ minimum: 1, description: 'of a personal drive' })),
  ownerUsername: Nullable(Type.String({ description: 'of a personal drive' })),
  creatorId: Nullable(Type.Integer({ minimum: 1, description: 'of a shared drive; may be gone' })),
  usedBytes: ByteCount,
  quotaBytes: ByteCount,
  entryCount: Count,
  maxEntries: Count,
  fileCount: Count,
  maxUploadBytes: ByteCount,
  memberCount: Count,
  managerCount: Count,
  createdAt: Timestamp,
  deletedAt: Nullable(Timestamp),
});
export type AdminDrive = Static<typeof AdminDrive>;

export const AdminDriveMember = Type.Object({
  accountId: Id,
  username: Text,
  displayName: Text,
  role: RoleInDrive,
  since: Timestamp,
});
export type AdminDriveMember = Static<typeof AdminDriveMember>;

const DriveParams = Type.Object({ id: Id });

const LimitsBody = Type.Object(
  {
    quotaBytes: Type.Optional(Bytes),
    maxEntries: Type.Optional(EntryLimit),
    maxUploadBytes: Type.Optional(Bytes),
  },
  { minProperties: 1 },
);

export const listDrives = operation('GET /api/admin/drives', {
  does: 'Lists the personal and the shared drives, the newest first.',
  access: 'admin',
  appPassword: 'never',
  query: DrivesQuery,
  data: PageOf(AdminDrive),
  example: { query: { query: 'team', kind: 'SHARED', deleted: false, page: 0, size: 20 } },
});

export const changeLimits = operation('PATCH /api/admin/drives/{id}/limits', {
  does: 'Changes the given limits of a drive.',
  access: 'admin',
  appPassword: 'never',
  path: DriveParams,
  body: LimitsBody,
  data: AdminDrive,
  example: { path: { id: EXAMPLE.drive }, body: { quotaBytes: 1_000_000_000, maxEntries: 10_000 } },
});

export const listMembers = operation('GET /api/admin/drives/{id}/members', {
  does: 'Lists the members of a shared drive, the oldest first.',
  access: 'admin',
  appPassword: 'never',
  path: DriveParams,
  data: Type.Array(AdminDriveMember, { maxItems: MAX_MEMBERS }),
  example: { path: { id: EXAMPLE.drive } },
});

export const setMember = operation('PUT /api/admin/drives/{id}/members/{accountId}', {
  does: 'Adds a member to a shared drive, or changes the role of one.',
  access: 'admin',
  appPassword: 'never',
  path: Type.Object({ id: Id, accountId: Id }),
  body: Type.Object({ role: RoleInDrive }),
  data: AdminDriveMember,
  example: { path: { id: EXAMPLE.drive, accountId: EXAMPLE.user }, body: { role: 'MANAGER' } },
});

export const deleteDrive = operation('DELETE /api/admin/drives/{id}', {
  does: 'Deletes a shared drive, which can be restored until it is purged.',
  access: 'admin',
  appPassword: 'never',
  path: DriveParams,
  body: Type.Object({ name: NameText }),
  example: { path: { id: EXAMPLE.drive }, body: { name: EXAMPLE.driveName } },
});

export const restoreDrive = operation('POST /api/admin/drives/{id}/restore', {
  does: 'Restores a deleted drive, with its content and its members.',
  access: 'admin',
  appPassword: 'never',
  path: DriveParams,
  data: AdminDrive,
  example: { path: { id: EXAMPLE.deletedDrive } },
});
