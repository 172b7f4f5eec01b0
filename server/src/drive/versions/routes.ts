import { toTimestamp } from '../../base/dates.ts';
import { callerOf } from '../../http/caller.ts';
import { actorOf, driveIdOf } from '../../http/chosen-drive.ts';
import { senderOf } from '../../http/download/file-sender.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drive } from '../drive.ts';
import {
  deleteVersion,
  downloadVersion,
  type FileVersion,
  listVersions,
  restoreVersion,
} from './contract.ts';
import type { Version } from './queries.ts';

/** The routes for the former contents of files. */
export function versionRoutes(server: Server, drive: Drive, accelRedirect: string | undefined): void {
  const { versions, records } = drive;
  const send = senderOf(accelRedirect);

  mount(server, listVersions, async (request) => {
    const found = await versions.list(driveIdOf(request), request.params.fileId);
    return found.map(toVersionRecord);
  });

  mount(server, downloadVersion, async (request, reply) => {
    const { fileId, versionId } = request.params;
    return send(request, reply, await versions.open(driveIdOf(request), fileId, versionId));
  });

  mount(server, restoreVersion, async (request) => {
    const { fileId, versionId } = request.params;
    const restored = await versions.restore(actorOf(request), fileId, versionId);
    return records.toRecord(callerOf(request), restored);
  });

  mount(server, deleteVersion, async (request) => {
    const { fileId, versionId } = request.params;
    await versions.delete(actorOf(request), fileId, versionId);
  });
}

function toVersionRecord({ id, size, sha256, modifiedAt, replacedAt }: Version): FileVersion {
  return {
    id,
    size,
    sha256,
    modifiedAt: toTimestamp(modifiedAt),
    replacedAt: toTimestamp(replacedAt),
  };
}
