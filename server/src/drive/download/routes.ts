import { toFileName } from '../../base/text/names/file-name.ts';
import { callerOf, driveIdOf, requesterOf } from '../../http/caller.ts';
import { downloadClientOf } from '../../http/download/download-client.ts';
import { sendStream } from '../../http/download/file-download.ts';
import { senderOf } from '../../http/download/file-sender.ts';
import { sendGenerated } from '../../http/download/generated-file.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Thumbnails } from '../../thumbnails/thumbnails.ts';
import type { Drive } from '../drive.ts';
import {
  createZipDownload,
  downloadEntry,
  downloadSigned,
  downloadZip,
  getThumbnail,
  signDownload,
} from './contract.ts';

interface DownloadParts {
  readonly drive: Drive;
  readonly thumbnails: Thumbnails;
  readonly baseUrl: () => string;
  /** The location at which a front proxy serves the objects, if there is such a proxy. */
  readonly accelRedirect: string | undefined;
}

export function downloadRoutes(server: Server, parts: DownloadParts): void {
  const { drive, thumbnails, baseUrl } = parts;
  const { downloads, zipTickets } = drive;
  const send = senderOf(parts.accelRedirect);

  mount(server, downloadEntry, async (request, reply) => {
    const download = await downloads.open(
      driveIdOf(request),
      request.params.fileId,
      downloadClientOf(request, reply),
    );
    return download.kind === 'file'
      ? send(request, reply, download.file)
      : sendStream(request, reply, download.zip);
  });

  mount(server, signDownload, async (request) =>
    downloads.signUrl(driveIdOf(request), request.params.fileId, baseUrl()),
  );

  mount(server, createZipDownload, async (request) => {
    const { fileIds, name } = request.body;
    const { sessionId } = callerOf(request);
    const zipName = name === undefined || name === null ? undefined : toFileName(name);
    const { token, expiresAt } = await zipTickets.create(
      { driveId: driveIdOf(request), sessionId },
      fileIds,
      zipName,
    );
    return { url: `${baseUrl()}/api/v2/downloads?ticket=${token}`, expiresAt };
  });

  mount(server, downloadZip, async (request, reply) => {
    const zip = await zipTickets.open(request.query.ticket, downloadClientOf(request, reply));
    return sendStream(request, reply, zip);
  });

  mount(server, downloadSigned, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    return send(request, reply, await downloads.openSigned(path, request.query));
  });

  mount(server, getThumbnail, async (request, reply) => {
    const picture = await downloads.getPicture(driveIdOf(request), request.params.fileId);
    return sendGenerated(request, reply, thumbnails.fileOf(picture, request.query, requesterOf(request)));
  });
}
