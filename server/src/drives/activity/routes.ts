import { toTimestamp } from '../../base/dates.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { mapPage } from '../../http/fields.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { ActivityItem, DriveActivity } from './activity.ts';
import { type ActivityRecord, listActivity } from './contract.ts';

/** Who changed what in a shared drive. */
export function driveActivityRoutes(server: Server, activity: DriveActivity): void {
  mount(server, listActivity, async (request) => {
    const { params, query } = request;
    return mapPage(await activity.list(callerOf(request), params.id, toPageRequest(query)), toActivityRecord);
  });
}

function toActivityRecord({ newest, count }: ActivityItem): ActivityRecord {
  const { id, createdAt, actorId, actorName, eventType, entryId, fromPath, toPath } = newest;
  return {
    id,
    at: toTimestamp(createdAt),
    accountId: actorId,
    displayName: actorName,
    eventType,
    fileId: entryId,
    path: toPath ?? fromPath,
    fromPath: toPath === null ? null : fromPath,
    count,
  };
}
