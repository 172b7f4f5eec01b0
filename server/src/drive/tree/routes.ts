import type { Static } from 'typebox';
import { toLogicalPath } from '../../base/text/names/logical-path.ts';
import { actorOf } from '../../http/chosen-drive.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { toConflictRule } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import type { BetweenDrives } from './between-drives.ts';
import { copyEntryTo, type DriveTargetBody, moveEntryTo } from './contract.ts';

/** Routes that copy and move entries between drives. */
export function betweenDrivesRoutes(server: Server, betweenDrives: BetweenDrives): void {
  mount(server, copyEntryTo, async (request) =>
    toRecord(await betweenDrives.copy(actorOf(request), request.params.fileId, toTarget(request.body))),
  );

  mount(server, moveEntryTo, async (request) =>
    toRecord(await betweenDrives.move(actorOf(request), request.params.fileId, toTarget(request.body))),
  );
}

function toTarget({ driveId, path, onConflict }: Static<typeof DriveTargetBody>) {
  return { driveId, path: toLogicalPath(path), onConflict: toConflictRule(onConflict) };
}
