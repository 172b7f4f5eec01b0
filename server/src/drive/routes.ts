import { Failure } from '../base/failure.ts';
import { DEFAULT_PAGE_SIZE, toPageRequest } from '../base/page.ts';
import { toFileName } from '../base/text/names/file-name.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';
import { actorOf, driveIdOf } from '../http/chosen-drive.ts';
import { clientSignalOf } from '../http/client-signal.ts';
import { mapPage } from '../http/fields.ts';
import { isMultipart, readForm } from '../http/forms/multipart.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import type { RecycleBin } from './bin/recycle-bin.ts';
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
import { toRecord } from './entries/entry.ts';
import type { Listing } from './listing/listing.ts';
import type { Stars } from './stars/stars.ts';
import type { Tree } from './tree/tree.ts';

/** Routes of the directory tree and the recycle bin. Uploads, downloads and search have their own. */
export function driveRoutes(server: Server, drive: Drive): void {
  treeRoutes(server, drive.tree);
  listingRoutes(server, drive.listing);
  recycleBinRoutes(server, drive.bin);
  starRoutes(server, drive.stars);
}

function treeRoutes(server: Server, tree: Tree): void {
  mount(server, makeDirectory, async (request) => {
    const form = isMultipart(request) ? await readForm(request) : request.body;
    const path = form?.path ?? request.query.path;
    if (path === undefined) throw new Failure('invalid', 'path is missing.');
    return toRecord(await tree.makeDirectory(actorOf(request), toLogicalPath(path)));
  });

  mount(server, renameEntry, async (request) => {
    const name = toFileName(request.body.filename);
    const onConflict = toConflictRule(request.body.onConflict);
    return toRecord(await tree.rename(actorOf(request), request.params.fileId, name, onConflict));
  });

  mount(server, moveEntry, async (request) => {
    const path = toLogicalPath(request.body.path);
    const onConflict = toConflictRule(request.body.onConflict);
    return toRecord(await tree.move(actorOf(request), request.params.fileId, path, onConflict));
  });

  mount(server, copyEntry, async (request) => {
    const path = toLogicalPath(request.body.path);
    const onConflict = toConflictRule(request.body.onConflict);
    return toRecord(await tree.copy(actorOf(request), request.params.fileId, path, onConflict));
  });
}

function listingRoutes(server: Server, listing: Listing): void {
  mount(server, listDirectory, async (request, reply) => {
    const { path = '/', sort, order = 'asc' } = request.query;
    const page = await listing.list(
      driveIdOf(request),
      toLogicalPath(path),
      { sort, direction: order },
      toPageRequest(request.query),
      clientSignalOf(reply),
    );
    return mapPage(page, toRecord);
  });

  mount(server, listRecentFiles, async (request) => {
    const { size = DEFAULT_PAGE_SIZE } = request.query;
    const files = await listing.recent(driveIdOf(request), size);
    return files.map(({ receivedThrough, ...file }) => ({ ...toRecord(file), receivedThrough }));
  });

  mount(server, getEntry, async (request, reply) => {
    const { sha256, metadata, ...entryWithPath } = await listing.details(
      driveIdOf(request),
      request.params.fileId,
    );
    const { entry } = entryWithPath;
    const totals = entry.isDirectory ? await listing.findTotals(entry.id, clientSignalOf(reply)) : {};
    return { ...toRecord(entryWithPath), sha256, metadata, ...totals };
  });
}

function recycleBinRoutes(server: Server, bin: RecycleBin): void {
  mount(server, recycleEntry, async (request) => {
    await bin.recycle(actorOf(request), request.params.fileId, { cursor: request.query.cursor });
  });

  mount(server, listRecycleBin, async (request) => {
    const page = await bin.list(driveIdOf(request), toPageRequest(request.query));
    return { ...page, items: [...page.items] };
  });

  mount(server, restoreEntry, async (request) => {
    const onConflict = toConflictRule(request.body?.onConflict);
    return toRecord(await bin.restore(actorOf(request), request.params.fileId, onConflict));
  });

  mount(server, purgeEntry, async (request) => {
    await bin.purge(actorOf(request), request.params.fileId);
  });

  mount(server, emptyRecycleBin, async (request) => {
    await bin.purgeAll(actorOf(request));
  });
}

function starRoutes(server: Server, stars: Stars): void {
  mount(server, listStarredEntries, async (request, reply) => {
    const wanted = toPageRequest(request.query);
    const page = await stars.list(driveIdOf(request), wanted, clientSignalOf(reply));
    return mapPage(page, toRecord);
  });

  mount(server, starEntry, async (request) =>
    toRecord(await stars.set(actorOf(request), request.params.fileId, true)),
  );

  mount(server, unstarEntry, async (request) =>
    toRecord(await stars.set(actorOf(request), request.params.fileId, false)),
  );
}
