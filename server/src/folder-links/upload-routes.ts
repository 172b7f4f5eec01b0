import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { toFileName } from '../base/text/names/file-name.ts';
import { toNewFile } from '../drive/drive.ts';
import { expectedFileSize, readFileForm } from '../http/forms/multipart.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { type TokenParams, uploadToFolderLink, visitorTusOperations } from './contract.ts';
import type { FolderLink } from './folder-link.ts';
import type { FolderLinks } from './folder-links.ts';
import {
  checkGivenPath,
  type Received,
  toSender,
  toVisitorError,
  type VisitorUploads,
} from './visitor-uploads.ts';

/** Uploads through a folder link in one request. */
export function visitorUploadRoutes(server: Server, links: FolderLinks, uploads: VisitorUploads): void {
  mount(server, uploadToFolderLink, async (request) => {
    const link = await links.open(request.params.token, 'upload', request.headers.cookie);
    return await receive(request, link).catch((error: unknown) => {
      throw toVisitorError(error);
    });
  });

  async function receive(request: FastifyRequest, link: FolderLink): Promise<Received> {
    const limit = await uploads.getLimit(link);
    const size = expectedFileSize(request);
    if (size.minBytes > limit.maxBytes) throw limit.toFailure();
    return await uploads.reserveDuring(link, request.ip, size, async (write) => {
      const form = await readFileForm(
        request,
        async (file) => {
          // An invalid name is rejected before the bytes are stored.
          toFileName(file.fileName);
          return uploads.store(file.bytes, limit, write);
        },
        (bytes) => write.discard(bytes),
      );
      const { fileName, contentType, fields } = form;
      return await uploads.create(link, form.received, write, fileName, () => {
        checkGivenPath(link, fields.path);
        const { path, modifiedAt } = fields;
        const file = toNewFile({ path, filename: fileName, contentType, modifiedAt });
        return { ...file, sender: toSender(fields.sender) };
      });
    });
  }
}

/** Resumable uploads through a folder link, for `tusRoutes`. */
export function visitorTusPlace(links: FolderLinks, uploads: VisitorUploads) {
  return {
    operations: visitorTusOperations,
    findPlace: async ({ params, headers, ip }: FastifyRequest) => {
      const { token } = params as Static<typeof TokenParams>;
      const link = await links.open(token, 'upload', headers.cookie);
      return { destination: uploads.toDestination(link, ip), params: { token: link.token } };
    },
  };
}
