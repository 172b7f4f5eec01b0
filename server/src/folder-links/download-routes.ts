import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../base/failure.ts';
import { toClosestFileName } from '../base/text/names/file-name.ts';
import { type LogicalPath, toLogicalPath } from '../base/text/names/logical-path.ts';
import type { Download, Drive } from '../drive/drive.ts';
import { type DownloadClient, downloadClientOf } from '../http/download/download-client.ts';
import { sendStream } from '../http/download/file-download.ts';
import { senderOf } from '../http/download/file-sender.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { createLinkedArchive, downloadLinkedArchive, downloadLinkedEntries } from './contract.ts';
import type { FolderLink } from './folder-link.ts';
import type { FolderLinks } from './folder-links.ts';

/**
 * The maximum number of characters in all paths together that are stored for one short URL until it expires.
 */
const MAX_STORED_CHARACTERS = 131_072;

/**
 * Downloads through a folder link, as a single file or one archive.
 * @param parts.accelRedirect the location at which a reverse proxy serves the objects, if one is configured
 */
export function visitorDownloadRoutes(
  server: Server,
  parts: { folderLinks: FolderLinks; drive: Drive; accelRedirect: string | undefined },
): void {
  const { folderLinks, drive } = parts;
  const send = senderOf(parts.accelRedirect);

  mount(server, downloadLinkedEntries, async (request, reply) => {
    const link = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
    const paths = [request.query.path].flat().map(toLogicalPath);
    return sendDownload(request, reply, await openPaths(link, paths, downloadClientOf(request, reply)));
  });

  mount(server, createLinkedArchive, async (request) => {
    const { token } = request.params;
    const link = await folderLinks.open(token, 'view', request.headers.cookie);
    const paths = toShortPaths(request.body.paths);
    await drive.subtrees.checkAll(link.directory, paths);
    const ticket = await drive.zipTickets.createForLink(link, paths);
    // The URL is relative, because visitors may have opened the page at a host other than the public one.
    const url = `/api/v2/folder-links/${link.token}/downloads?ticket=${ticket.token}`;
    return { url, expiresAt: ticket.expiresAt };
  });

  mount(server, downloadLinkedArchive, async (request, reply) => {
    const { token } = request.params;
    const link = await folderLinks.open(token, 'view', request.headers.cookie);
    const download = await drive.zipTickets.openForLink(request.query.ticket, link.id, (paths) =>
      openPaths(link, paths, downloadClientOf(request, reply)),
    );
    return sendDownload(request, reply, download);
  });

  function openPaths(
    { directory, title }: FolderLink,
    paths: readonly LogicalPath[],
    client: DownloadClient,
  ): Promise<Download> {
    return drive.subtrees.open(directory, paths, toClosestFileName(title), client);
  }

  function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download) {
    return download.kind === 'file'
      ? send(request, reply, download.file)
      : sendStream(request, reply, download.zip);
  }
}

/** @throws Failure `invalid` */
function toShortPaths(texts: readonly string[]): readonly LogicalPath[] {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (characters > MAX_STORED_CHARACTERS) {
    throw new Failure(
      'invalid',
      `The paths must not have more than ${MAX_STORED_CHARACTERS} characters in all.`,
    );
  }
  return texts.map(toLogicalPath);
}
