import { toTimestamp } from '../base/dates.ts';
import { toPageRequest } from '../base/page.ts';
import { toImportTarget } from '../drive/contract.ts';
import type { EntryRecords } from '../drive/drive.ts';
import { acceptsHtml } from '../http/accepts-html.ts';
import { callerOf, requesterOf } from '../http/caller.ts';
import { actorOf, driveIdOf } from '../http/chosen-drive.ts';
import { sendGenerated } from '../http/download/generated-file.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { type LinkCreators, type OwnerAvatars, toOwnerAvatarMember } from '../links/links.ts';
import {
  createShareLink,
  deleteShareLink,
  getShareLink,
  getShareLinkOwnerAvatar,
  importShareLink,
  listShareLinks,
  type ShareLink,
} from './contract.ts';
import type { Share } from './share.ts';
import type { ShareLinks } from './share-links.ts';

/**
 * Legacy share links.
 * @param parts.hasPages whether the web client is served; if so, a browser that opens a link is redirected
 *   to the link's page
 */
export function shareLinkRoutes(
  server: Server,
  {
    shareLinks: links,
    records,
    creators,
    ownerAvatars,
    baseUrl,
    hasPages,
  }: {
    shareLinks: ShareLinks;
    records: EntryRecords;
    creators: LinkCreators;
    ownerAvatars: OwnerAvatars;
    baseUrl: () => string;
    hasPages: boolean;
  },
): void {
  const toLink = ({ token, entry, createdAt }: Share): ShareLink => ({
    token,
    url: `${baseUrl()}/api/files/share-links/${token}`,
    filename: entry.name,
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    createdAt: toTimestamp(createdAt),
  });

  mount(server, createShareLink, async (request) =>
    toLink(await links.getOrCreate(actorOf(request), request.params.fileId)),
  );

  mount(server, getShareLink, async (request, reply) => {
    if (hasPages) reply.header('vary', 'Accept');
    if (hasPages && acceptsHtml(request)) {
      return reply.redirect(`/l/${encodeURIComponent(request.params.token)}`, 302);
    }
    const { share, fileCount } = await links.view(
      request.params.token,
      request.method === 'HEAD' ? null : request.caller?.driveId,
    );
    const avatar = toOwnerAvatarMember(`/api/files/share-links/${share.token}`, share.ownerAvatarId);
    const link = { ...toLink(share), ownerUsername: share.ownerUsername, ...avatar };
    return fileCount === undefined ? link : { ...link, fileCount };
  });

  mount(server, getShareLinkOwnerAvatar, async (request, reply) => {
    const { ownerId } = await links.get(request.params.token);
    const avatar = await ownerAvatars.open(ownerId, request.query.v, requesterOf(request));
    return sendGenerated(request, reply, avatar);
  });

  mount(server, listShareLinks, async (request) => {
    const page = await links.listByDrive(driveIdOf(request), toPageRequest(request.query));
    const files = page.items.map(({ share, file }) => ({ share, ...file }));
    const items = await records.toRecords(callerOf(request), files, ({ share }) => ({ share }));
    const originOf = await creators.find(
      callerOf(request),
      page.items.map(({ share }) => share),
    );
    const toOwnLink = ({ share, ...file }: (typeof items)[number]) => ({
      id: share.id,
      ...toLink(share),
      viewCount: share.viewCount,
      importCount: share.downloadCount,
      ...originOf(share),
      file,
    });
    return { ...page, items: items.map(toOwnLink) };
  });

  mount(server, deleteShareLink, async (request) => {
    await links.delete(actorOf(request), request.params.id);
  });

  mount(server, importShareLink, async (request) => {
    const target = toImportTarget(request.body);
    const imported = await links.import(actorOf(request), request.params.token, target);
    return records.toRecord(callerOf(request), imported);
  });
}
