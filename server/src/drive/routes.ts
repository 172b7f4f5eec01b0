import { toTimestamp } from '../base/dates.ts';
import { Failure } from '../base/failure.ts';
import { DEFAULT_PAGE_SIZE, toPageRequest } from '../base/page.ts';
import { toFileName } from '../base/text/names/file-name.ts';
import { childOf, toLogicalPath } from '../base/text/names/logical-path.ts';
import { callerOf } from '../http/caller.ts';
import { actorOf, driveIdOf } from '../http/chosen-drive.ts';
import { clientSignalOf } from '../http/client-signal.ts';
import { isMultipart, readForm } from '../http/forms/multipart.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import type { BinEntry } from './bin/recycle-bin.ts';
import {
  copyEntry,
  emptyRecycleBin,
  getEntry,
  listDirectory,
  listRecentFiles,
  listRecycleBin,
  listStarredEntries,
  makeDirectory,
  moveEntry,
  purgeEntry,
  recycleEntry,
  renameEntry,
  restoreEntry,
  starEntry,
  toConflictRule,
  unstarEntry,
} from './contract.ts';
import type { Drive } from './drive.ts';

/** Routes of the directory tree and the recycle bin. Uploads, downloads and search have their own. */
export function driveRoutes(server: Server, drive: Drive): void {
  treeRoutes(server, drive);
  listingRoutes(server, drive);
  recycleBinRoutes(server, drive);
  starRoutes(server, drive);
}

function treeRoutes(server: Server, { tree, records }: Drive): void {
  mount(server, makeDirectory, async (request) => {
    const form = isMultipart(request) ? await readForm(request) : request.body;
    const path = form?.path ?? request.query.path;
    if (path === undefined) throw new Failure('invalid', 'path is missing.');
    const made = await tree.makeDirectory(actorOf(request), toLogicalPath(path));
    return records.toRecord(callerOf(request), made);
  });

  mount(server, renameEntry, async (request) => {
    const name = toFileName(request.body.filename);
    const onConflict = toConflictRule(request.body.onConflict);
    const renamed = await tree.rename(actorOf(request), request.params.fileId, name, onConflict);
    return records.toRecord(callerOf(request), renamed);
  });

  mount(server, moveEntry, async (request) => {
    const path = toLogicalPath(request.body.path);
    const onConflict = toConflictRule(request.body.onConflict);
    const moved = await tree.move(actorOf(request), request.params.fileId, path, onConflict);
    return records.toRecord(callerOf(request), moved);
  });

  mount(server, copyEntry, async (request) => {
    const path = toLogicalPath(request.body.path);
    const onConflict = toConflictRule(request.body.onConflict);
    const copied = await tree.copy(actorOf(request), request.params.fileId, path, onConflict);
    return records.toRecord(callerOf(request), copied);
  });
}

function listingRoutes(server: Server, { listing, records }: Drive): void {
  mount(server, listDirectory, async (request, reply) => {
    const { path = '/', sort, order = 'asc' } = request.query;
    const page = await listing.list(
      driveIdOf(request),
      toLogicalPath(path),
      { sort, direction: order },
      toPageRequest(request.query),
      clientSignalOf(reply),
    );
    return records.toPage(callerOf(request), page);
  });

  mount(server, listRecentFiles, async (request) => {
    const { size = DEFAULT_PAGE_SIZE } = request.query;
    const files = await listing.recent(driveIdOf(request), size);
    return records.toRecords(callerOf(request), files, ({ receivedThrough }) => ({ receivedThrough }));
  });

  mount(server, getEntry, async (request, reply) => {
    const { sha256, metadata, ...entryWithPath } = await listing.details(
      driveIdOf(request),
      request.params.fileId,
    );
    const { entry } = entryWithPath;
    const totals = entry.isDirectory ? await listing.findTotals(entry.id, clientSignalOf(reply)) : {};
    const record = await records.toRecord(callerOf(request), entryWithPath);
    return { ...record, sha256, metadata, ...totals };
  });
}

function recycleBinRoutes(server: Server, { bin, records }: Drive): void {
  mount(server, recycleEntry, async (request) => {
    await bin.recycle(actorOf(request), request.params.fileId, { cursor: request.query.cursor });
  });

  mount(server, listRecycleBin, async (request) => {
    const page = await bin.list(driveIdOf(request), toPageRequest(request.query));
    return { ...page, items: await records.toRecords(callerOf(request), page.items, toBinFacts) };
  });

  mount(server, restoreEntry, async (request) => {
    const onConflict = toConflictRule(request.body?.onConflict);
    const restored = await bin.restore(actorOf(request), request.params.fileId, onConflict);
    return records.toRecord(callerOf(request), restored);
  });

  mount(server, purgeEntry, async (request) => {
    await bin.purge(actorOf(request), request.params.fileId);
  });

  mount(server, emptyRecycleBin, async (request) => {
    await bin.purgeAll(actorOf(request));
  });
}

function starRoutes(server: Server, { stars, records }: Drive): void {
  mount(server, listStarredEntries, async (request, reply) => {
    const wanted = toPageRequest(request.query);
    const page = await stars.list(actorOf(request), wanted, clientSignalOf(reply));
    return records.toPage(callerOf(request), page);
  });

  mount(server, starEntry, async (request) => {
    const changed = await stars.set(actorOf(request), request.params.fileId, true);
    return records.toRecord(callerOf(request), changed);
  });

  mount(server, unstarEntry, async (request) => {
    const changed = await stars.set(actorOf(request), request.params.fileId, false);
    return records.toRecord(callerOf(request), changed);
  });
}

/** What the record of an entry in the recycle bin says beside its other facts. */
function toBinFacts({ entry, parentPath, deletedAt, expiresAt }: BinEntry) {
  return {
    // Files in the bin cannot be read, so they have no thumbnail.
    thumbnailVersion: null,
    originalPath: childOf(parentPath, entry.name),
    deletedAt: toTimestamp(deletedAt),
    expiresAt: toTimestamp(expiresAt),
  };
}
