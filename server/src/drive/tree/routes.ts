import type { Static } from 'typebox';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import { callerOf } from '../../http/caller.ts';
import { actorOf } from '../../http/chosen-drive.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toConflictRule } from '../contract.ts';
import type { Drive } from '../drive.ts';
import { copyEntryTo, type DriveTargetBody, moveEntryTo } from './contract.ts';

/** Routes that copy and move entries between drives. */
export function betweenDrivesRoutes(server: Server, { betweenDrives, records }: Drive): void {
  mount(server, copyEntryTo, async (request) => {
    const { params, body } = request;
    const copied = await betweenDrives.copy(actorOf(request), params.fileId, toTarget(body));
    return records.toRecord(callerOf(request), copied);
  });

  mount(server, moveEntryTo, async (request) => {
    const { params, body } = request;
    const moved = await betweenDrives.move(actorOf(request), params.fileId, toTarget(body));
    return records.toRecord(callerOf(request), moved);
  });
}

function toTarget({ driveId, path, onConflict }: Static<typeof DriveTargetBody>) {
  return { driveId, path: toLogicalPath(path), onConflict: toConflictRule(onConflict) };
}
