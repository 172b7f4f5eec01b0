import type { Clock, Instant } from '../base/clock.ts';
import { toPageRequest } from '../base/page.ts';
import { type Caller, callerOf, mayWrite } from '../http/caller.ts';
import { actorOf, driveIdOf } from '../http/chosen-drive.ts';
import { mapPage } from '../http/fields.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { toLinkExpiry, toLinkPassword } from '../links/links.ts';
import {
  type ChangeBody,
  changeFolderLink,
  createFolderLink,
  deleteFolderLink,
  type FolderLinkRecord,
  type ListedFolderLink,
  listFolderLinks,
} from './contract.ts';
import type { FolderLinkOptions, FolderLinks } from './folder-links.ts';
import { toLinkRecord } from './records.ts';

/** Folder links, for their owners. */
export function folderLinkRoutes(server: Server, links: FolderLinks, clock: Clock): void {
  mount(server, createFolderLink, async (request) => {
    const { directoryId, mode } = request.body;
    const options = { ...toOptions(request.body, clock.now()), mode };
    return toLinkRecord(await links.create(actorOf(request), directoryId, options));
  });

  mount(server, listFolderLinks, async (request) => {
    const page = await links.listByDrive(driveIdOf(request), toPageRequest(request.query));
    return mapPage(page, (link) => hideUploads(toLinkRecord(link), callerOf(request)));
  });

  mount(server, changeFolderLink, async (request) => {
    const changes = toChanges(request.body, clock.now());
    return toLinkRecord(await links.change(actorOf(request), request.params.id, changes));
  });

  mount(server, deleteFolderLink, async (request) => {
    await links.delete(actorOf(request), request.params.id);
  });
}

/**
 * Hides the tokens of upload links from callers who may only read: with the token, anyone can upload without
 * a login.
 */
function hideUploads(record: FolderLinkRecord, caller: Caller): ListedFolderLink {
  return record.mode === 'VIEW' || mayWrite(caller) ? record : { ...record, token: null };
}

/** A field that is missing or null gets its default. @throws Failure `invalid` */
function toOptions(body: ChangeBody, now: Instant): Omit<FolderLinkOptions, 'mode'> {
  return {
    title: body.title?.trim() || null,
    note: body.note?.trim() || null,
    password: toLinkPassword(body.password),
    expiresAt: toLinkExpiry(body.expiresAt, now),
    maxFiles: body.maxFiles ?? null,
    maxBytes: body.maxBytes ?? null,
  };
}

/** Returns only the options that the body contains. @throws Failure `invalid` */
function toChanges(body: ChangeBody, now: Instant): Partial<FolderLinkOptions> {
  const { title, note, password, expiresAt, maxFiles, maxBytes } = toOptions(body, now);
  return {
    ...(body.mode !== undefined && { mode: body.mode }),
    ...(body.title !== undefined && { title }),
    ...(body.note !== undefined && { note }),
    ...(body.password !== undefined && { password }),
    ...(body.expiresAt !== undefined && { expiresAt }),
    ...(body.maxFiles !== undefined && { maxFiles }),
    ...(body.maxBytes !== undefined && { maxBytes }),
  };
}
