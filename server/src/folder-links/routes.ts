import type { Clock, Instant } from '../base/clock.ts';
import { toPageRequest } from '../base/page.ts';
import { type Caller, callerOf, mayWrite } from '../http/caller.ts';
import { enveloped, envelopedNothing, NOTHING, success } from '../http/envelope.ts';
import { mapPage, PageOf } from '../http/fields.ts';
import type { Server } from '../http/server.ts';
import { toLinkExpiry, toLinkPassword } from '../links/links.ts';
import {
  ChangeBody,
  CreateBody,
  FolderLinkRecord,
  LinkParams,
  ListedFolderLink,
  MineQuery,
} from './contract.ts';
import type { FolderLinkOptions, FolderLinks } from './folder-links.ts';
import { toLinkRecord } from './records.ts';

export const FOLDER_LINKS = '/api/v2/folder-links';

/** Folder links, for their owners. */
export function folderLinkRoutes(server: Server, links: FolderLinks, clock: Clock): void {
  const config = { access: 'login', appPassword: 'write' } as const;

  server.post(
    FOLDER_LINKS,
    { config, schema: { body: CreateBody, response: enveloped(FolderLinkRecord) } },
    async (request) => {
      const { directoryId, mode } = request.body;
      const options = { ...toOptions(request.body, clock.now()), mode };
      return success(toLinkRecord(await links.create(callerOf(request).accountId, directoryId, options)));
    },
  );

  server.get(
    `${FOLDER_LINKS}/mine`,
    {
      config: { ...config, appPassword: 'read' },
      schema: { querystring: MineQuery, response: enveloped(PageOf(ListedFolderLink)) },
    },
    async (request) => {
      const caller = callerOf(request);
      const page = await links.listByOwner(caller.accountId, toPageRequest(request.query));
      return success(mapPage(page, (link) => hideUploads(toLinkRecord(link), caller)));
    },
  );

  server.patch(
    `${FOLDER_LINKS}/:id`,
    { config, schema: { params: LinkParams, body: ChangeBody, response: enveloped(FolderLinkRecord) } },
    async (request) => {
      const { accountId } = callerOf(request);
      const changes = toChanges(request.body, clock.now());
      return success(toLinkRecord(await links.change(accountId, request.params.id, changes)));
    },
  );

  server.delete(
    `${FOLDER_LINKS}/:id`,
    { config, schema: { params: LinkParams, response: envelopedNothing } },
    async (request) => {
      await links.delete(callerOf(request).accountId, request.params.id);
      return NOTHING;
    },
  );
}

/** Whoever knows the token of such a link can upload without a login. */
function hideUploads(record: FolderLinkRecord, caller: Caller): ListedFolderLink {
  return record.mode === 'VIEW' || mayWrite(caller) ? record : { ...record, token: null };
}

/** A field that is missing or null has its default. @throws Failure `invalid` */
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

/** Only the options that the body has. @throws Failure `invalid` */
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
