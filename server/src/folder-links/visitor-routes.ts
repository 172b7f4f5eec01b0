import type { FastifyReply } from 'fastify';
import { toPageRequest } from '../base/page.ts';
import { toLogicalPath } from '../base/text/names/logical-path.ts';
import { EntryRecord, toImportTarget } from '../drive/contract.ts';
import { type Drive, toRecord } from '../drive/drive.ts';
import { actorOf, requesterOf } from '../http/caller.ts';
import { clientSignalOf } from '../http/client-signal.ts';
import { sendGenerated } from '../http/download/generated-file.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import { mapPage, PageOf } from '../http/fields.ts';
import type { Server } from '../http/server.ts';
import { thumbnailResponses } from '../thumbnails/contract.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import {
  EntriesQuery,
  ImportBody,
  LinkedEntry,
  LinkThumbnailQuery,
  PasswordBody,
  PublicFolderLink,
  TokenParams,
} from './contract.ts';
import type { FolderLinks } from './folder-links.ts';
import type { LinkImport } from './link-import.ts';
import { toLinkedEntry, toPublicLink } from './records.ts';
import { FOLDER_LINKS } from './routes.ts';

/** What visitors of a folder link may see. */
export function visitorRoutes(
  server: Server,
  parts: {
    folderLinks: FolderLinks;
    linkImport: LinkImport;
    drive: Drive;
    thumbnails: Thumbnails;
  },
): void {
  const { folderLinks, linkImport, drive, thumbnails } = parts;
  const config = { access: 'public', appPassword: 'read' } as const;

  server.get(
    `${FOLDER_LINKS}/:token`,
    { config, schema: { params: TokenParams, response: enveloped(PublicFolderLink) } },
    async (request) => {
      const link = await folderLinks.get(request.params.token);
      return success(toPublicLink(link, folderLinks.isVerified(link, request.headers.cookie)));
    },
  );

  server.post(
    `${FOLDER_LINKS}/:token/verify-password`,
    { config, schema: { params: TokenParams, body: PasswordBody, response: envelopedNothing } },
    async (request, reply) => {
      const link = await folderLinks.get(request.params.token);
      const isSecure = request.protocol === 'https';
      const { password } = request.body;
      const cookie = await folderLinks.verifyPassword(link, password, requesterOf(request), isSecure);
      if (cookie !== undefined) reply.header('set-cookie', cookie);
      return NOTHING;
    },
  );

  server.get(
    `${FOLDER_LINKS}/:token/entries`,
    {
      config,
      schema: { params: TokenParams, querystring: EntriesQuery, response: enveloped(PageOf(LinkedEntry)) },
    },
    async (request, reply) => {
      const { directory } = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
      const { path: text = '/', sort, order: direction = 'asc' } = request.query;
      const path = toLogicalPath(text);
      const page = toPageRequest(request.query);
      const signal = clientSignalOf(reply);
      const entries = await drive.subtrees.list(directory, path, { sort, direction }, page, signal);
      return success(mapPage(entries, (entry) => toLinkedEntry(entry, path)));
    },
  );

  server.get(
    `${FOLDER_LINKS}/:token/thumbnail`,
    {
      config,
      schema: { params: TokenParams, querystring: LinkThumbnailQuery, response: thumbnailResponses },
    },
    async (request, reply) => {
      const { directory } = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
      const { path, ...query } = request.query;
      const { entry, location } = await drive.subtrees.find(directory, toLogicalPath(path));
      const file = thumbnails.fileOf({ ...entry, location }, query, requesterOf(request));
      return sendGenerated(request, reply as unknown as FastifyReply, file);
    },
  );

  server.post(
    `${FOLDER_LINKS}/:token/import`,
    {
      config: { access: 'login', appPassword: 'write' },
      schema: { params: TokenParams, body: ImportBody, response: enveloped(EntryRecord) },
    },
    async (request) => {
      const { path, targetPath, onConflict } = request.body;
      const target = toImportTarget({ path: targetPath ?? null, onConflict: onConflict ?? null });
      const link = await folderLinks.open(request.params.token, 'view', request.headers.cookie);
      return success(toRecord(await linkImport.import(actorOf(request), link, toLogicalPath(path), target)));
    },
  );
}
