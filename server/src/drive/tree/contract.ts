import { Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Id } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { EntryParams, EntryRecord, TargetBody } from '../contract.ts';

/** The directory to copy or move into, and its drive. */
export const DriveTargetBody = Type.Object({ driveId: Id, ...TargetBody.properties });

export const copyEntryTo = operation('POST /api/v2/files/{fileId}/copy-to', {
  does: 'Copies a file or directory into another drive.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'VIEWER',
  path: EntryParams,
  body: DriveTargetBody,
  data: EntryRecord,
  example: {
    path: { fileId: EXAMPLE.file },
    body: { driveId: EXAMPLE.targetDrive, path: '/', onConflict: 'RENAME' },
  },
});

export const moveEntryTo = operation('POST /api/v2/files/{fileId}/move-to', {
  does: 'Moves a file or directory into another drive.',
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  path: EntryParams,
  body: DriveTargetBody,
  data: EntryRecord,
  example: {
    path: { fileId: EXAMPLE.file },
    body: { driveId: EXAMPLE.targetDrive, path: '/', onConflict: 'RENAME' },
  },
});
