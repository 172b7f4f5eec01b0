import { toTimestamp } from '../../base/dates.ts';
import { callerOf, clientIdOf, mayWrite } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drives } from '../drives.ts';
import {
  createDrive,
  type DriveRecord,
  deleteDrive,
  listDrives,
  renameDrive,
  restoreDrive,
} from './contract.ts';
import { toDriveName } from './drive-name.ts';
import type { DriveOfMember } from './queries.ts';

/** The routes for drives as a whole. */
export function sharedDriveRoutes(server: Server, { sharedDrives, creation, findsContent }: Drives): void {
  mount(server, listDrives, async (request) => {
    const areDeleted = request.query.deleted === true;
    const caller = callerOf(request);
    const found = await sharedDrives.list(caller.accountId, { areDeleted });
    const mayCreateDrives = creation.mayCreate(caller.role);
    return found.map((drive) => {
      const record = toDriveRecord(drive);
      // With its app password, the caller can do no more than a viewer.
      if (!mayWrite(caller)) record.role = 'VIEWER';
      return drive.kind === 'PERSONAL' ? { ...record, mayCreateDrives, findsContent } : record;
    });
  });

  mount(server, createDrive, async (request) => {
    const { name, members = [], fromFileId } = request.body;
    const creator = { ...callerOf(request), clientId: clientIdOf(request) };
    return toDriveRecord(await creation.create(creator, { name: toDriveName(name), members, fromFileId }));
  });

  mount(server, renameDrive, async (request) => {
    const call = { caller: callerOf(request), driveId: request.params.id };
    return toDriveRecord(await sharedDrives.rename(call, toDriveName(request.body.name)));
  });

  mount(server, deleteDrive, async (request) => {
    const call = { caller: callerOf(request), driveId: request.params.id };
    await sharedDrives.delete(call, request.body.name);
  });

  mount(server, restoreDrive, async (request) => {
    const call = { caller: callerOf(request), driveId: request.params.id };
    return toDriveRecord(await sharedDrives.restore(call));
  });
}

function toDriveRecord({ createdAt, deletedAt, ...drive }: DriveOfMember): DriveRecord {
  return {
    ...drive,
    createdAt: toTimestamp(createdAt),
    deletedAt: deletedAt === null ? null : toTimestamp(deletedAt),
  };
}
