import type { FastifyRequest } from 'fastify';
import type { Clock, Instant } from '../base/clock.ts';
import { toPageRequest } from '../base/page.ts';
import { callerOf } from '../http/caller.ts';
import { actorOf, driveIdOf, mayChangeDrive } from '../http/chosen-drive.ts';
import { mapPage } from '../http/fields.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { type LinkCreators, toLinkExpiry, toLinkPassword } from '../links/links.ts';
import {
  type ChangeBody,
  changeFolderLink,
  createFolderLink,
  deleteFolderLink,
  type ListedFolderLink,
  listFolderLinks,
} from './contract.ts';
import type { FolderLinkOptions, FolderLinks } from './folder-links.ts';
import { type FolderLinkWithPath, toLinkRecord } from './records.ts';

/** Folder links, for those who may use their drives. */
export function folderLinkRoutes(
  server: Server,
  { links, creators, clock }: { links: FolderLinks; creators: LinkCreators; clock: Clock },
): void {
  const toRecord = async (request: FastifyRequest, placed: FolderLinkWithPath) => {
    const originOf = await creators.find(callerOf(request), [placed.link]);
    return toLinkRecord(placed, originOf(placed.link));
  };

  mount(server, createFolderLink, async (request) => {
    const { directoryId, mode } = request.body;
    const options = { ...toOptions(request.body, clock.now()), mode };
    return toRecord(request, await links.create(actorOf(request), directoryId, options));
  });

  mount(server, listFolderLinks, async (request) => {
    const page = await links.listByDrive(driveIdOf(request), toPageRequest(request.query));
    const originOf = await creators.find(
      callerOf(request),
      page.items.map(({ link }) => link),
    );
    const showsUploads = mayChangeDrive(request);
    return mapPage(page, (placed): ListedFolderLink => {
      const record = toLinkRecord(placed, originOf(placed.link));
      // With the token of an upload link, anyone can upload without a login.
      return record.mode === 'VIEW' || showsUploads ? record : { ...record, token: null };
    });
  });

  mount(server, changeFolderLink, async (request) => {
    const changes = toChanges(request.body, clock.now());
    return toRecord(request, await links.change(actorOf(request), request.params.id, changes));
  });

  mount(server, deleteFolderLink, async (request) => {
    await links.delete(actorOf(request), request.params.id);
  });
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
