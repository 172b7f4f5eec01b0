import { Failure } from '../base/failure.ts';
import { toPageRequest } from '../base/page.ts';
import { type FileName, toFileName } from '../base/text/names/file-name.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';
import { toConflictRule } from '../drive/contract.ts';
import { actorOf, driveIdOf } from '../http/chosen-drive.ts';
import { clientSignalOf } from '../http/client-signal.ts';
import { mapPage } from '../http/fields.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import {
  cancelTask,
  createArchive,
  extractArchive,
  getTask,
  listArchive,
  listTasks,
  readMediaMetadata,
  retryTask,
  toCorrelationId,
} from './contract.ts';
import { checkSelection } from './extract/selection.ts';
import { toTaskRecord } from './task-record.ts';
import type { Tasks } from './tasks.ts';

const DEFAULT_ARCHIVE_NAME = 'Archive.zip';

/** The caller's background tasks. */
export function taskRoutes(server: Server, tasks: Tasks): void {
  mount(server, listTasks, async (request) => {
    const page = await tasks.list(driveIdOf(request), toPageRequest(request.query));
    return mapPage(page, toTaskRecord);
  });

  mount(server, getTask, async (request) =>
    toTaskRecord(await tasks.get(driveIdOf(request), request.params.id)),
  );

  mount(server, cancelTask, async (request) =>
    toTaskRecord(await tasks.cancel(actorOf(request), request.params.id)),
  );

  mount(server, retryTask, async (request) =>
    toTaskRecord(await tasks.retry(actorOf(request), request.params.id)),
  );

  archiveRoutes(server, tasks);

  mount(server, readMediaMetadata, async (request) => {
    const { fileId: entryId, path, correlationId } = request.body;
    const task = await tasks.creation.create(actorOf(request), {
      type: 'MEDIA_META',
      entryId,
      path: toLogicalPath(path),
      correlationId: toCorrelationId(correlationId),
      onConflict: 'FAIL',
    });
    return toTaskRecord(task);
  });
}

function archiveRoutes(server: Server, tasks: Tasks): void {
  mount(server, createArchive, async (request) => {
    const maker = actorOf(request);
    const { fileId, fileIds, name } = request.body;
    const path = toLogicalPath(request.body.path);
    const correlationId = toCorrelationId(request.body.correlationId);
    if ((fileId === undefined) === (fileIds === undefined)) {
      throw new Failure('invalid', 'Either fileId or fileIds is necessary.');
    }
    const task =
      fileIds === undefined
        ? tasks.creation.create(maker, {
            type: 'ARCHIVE',
            entryId: fileId as number,
            path,
            correlationId,
            onConflict: 'FAIL',
          })
        : tasks.creation.createArchive(maker, {
            entryIds: fileIds,
            directoryPath: path,
            name: toZipName(name ?? DEFAULT_ARCHIVE_NAME),
            correlationId,
          });
    return toTaskRecord(await task);
  });

  mount(server, extractArchive, async (request) => {
    const { fileId: entryId, path, correlationId, onConflict, folder, encoding } = request.body;
    const { into, entries } = request.body;
    if (entries) checkSelection(entries);
    const task = await tasks.creation.create(actorOf(request), {
      type: 'EXTRACT',
      entryId,
      path: toLogicalPath(path),
      correlationId: toCorrelationId(correlationId),
      onConflict: toConflictRule(onConflict),
      folder: typeof folder === 'string' ? toFileName(folder) : undefined,
      encoding: encoding ?? undefined,
      into: typeof into === 'string' ? toLogicalPath(into) : undefined,
      entries: entries ?? undefined,
    });
    return toTaskRecord(task);
  });

  mount(server, listArchive, async (request, reply) => {
    const options = { encoding: request.query.encoding, signal: clientSignalOf(reply) };
    return tasks.archives.list(driveIdOf(request), request.params.fileId, options);
  });
}

function toZipName(name: string): FileName {
  return toFileName(/\.zip$/i.test(name) ? name : `${name}.zip`);
}
