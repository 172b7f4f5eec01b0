import { toPageRequest } from '../base/page.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';
import { toImportTarget } from '../drive/contract.ts';
import type { Drive } from '../drive/drive.ts';
import { callerOf, requesterOf } from '../http/caller.ts';
import { actorOf } from '../http/chosen-drive.ts';
import { clientSignalOf } from '../http/client-signal.ts';
import { sendGenerated } from '../http/download/generated-file.ts';
import { mapPage } from '../http/fields.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { type OwnerAvatars, passwordRequired } from '../links/links.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import {
  getFolderLink,
  getFolderLinkOwnerAvatar,
  getLinkedThumbnail,
  importLinkedEntry,
  listLinkedEntries,
  verifyFolderLinkPassword,
} from './contract.ts';
import type { FolderLinks } from './folder-links.ts';
import type { LinkImport } from './link-import.ts';
import { toLinkedEntry, toPublicLink } from './records.ts';

/** What visitors of a folder link may see. */
export function visitorRoutes(
  server: Server,
  parts: {
    folderLinks: FolderLinks;
    linkImport: LinkImport;
    drive: Drive;
    thumbnails: Thumbnails;
    ownerAvatars: OwnerAvatars;
  },
): void {
  const { folderLinks, linkImport, drive, thumbnails, ownerAvatars } = parts;

  mount(server, getFolderLink, async (request) => {
    const link = await folderLinks.get(request.params.token);
    return toPublicLink(link, folderLinks.isVerified(link, request.headers.cookie));
  });

  mount(server, verifyFolderLinkPassword, async (request, reply) => {
    const link = await folderLinks.get(request.params.token);
    const isSecure = request.protocol === 'https';
    const { password } = request.body;
    const cookie = await folderLinks.verifyPassword(link, password, requesterOf(request), isSecure);
    if (cookie !== undefined) reply.header('set-cookie', cookie);
  });

  mount(server, listLinkedEntries, async (request, reply) => {
    const { directory } = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
    const { path: text = '/', sort, order: direction = 'asc' } = request.query;
    const path = toLogicalPath(text);
    const page = toPageRequest(request.query);
    const signal = clientSignalOf(reply);
    const entries = await drive.subtrees.list(directory, path, { sort, direction }, page, signal);
    const shapeOf = await drive.metadata.findShapes(entries.items);
    return mapPage(entries, (entry) => toLinkedEntry(entry, path, shapeOf(entry)));
  });

  mount(server, getLinkedThumbnail, async (request, reply) => {
    const { directory } = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
    const { path, ...query } = request.query;
    const { entry, location } = await drive.subtrees.find(directory, toLogicalPath(path));
    const file = thumbnails.fileOf({ ...entry, location }, query, requesterOf(request));
    return sendGenerated(request, reply, file);
  });

  mount(server, getFolderLinkOwnerAvatar, async (request, reply) => {
    const link = await folderLinks.get(request.params.token);
    if (!folderLinks.isVerified(link, request.headers.cookie)) throw passwordRequired();
    const avatar = await ownerAvatars.open(link.accountId, request.query.v, requesterOf(request));
    return sendGenerated(request, reply, avatar);
  });

  mount(server, importLinkedEntry, async (request) => {
    const { path, targetPath, onConflict } = request.body;
    const target = toImportTarget({ path: targetPath ?? null, onConflict: onConflict ?? null });
    const link = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
    const imported = await linkImport.import(actorOf(request), link, toLogicalPath(path), target);
    return drive.records.toRecord(callerOf(request), imported);
  });
}
