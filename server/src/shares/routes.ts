import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Instant } from '../base/clock.ts';
import { toPageRequest } from '../base/page.ts';
import { EntryRecord, toImportTarget } from '../drive/contract.ts';
import { toRecord } from '../drive/drive.ts';
import { actorOf, callerOf, requesterOf } from '../http/caller.ts';
import { envelopedOrFile, redirectResponse } from '../http/download/download-responses.ts';
import { enveloped, success } from '../http/envelope.ts';
import { decodeHeader } from '../http/parsing/header-text.ts';
import { mount } from '../http/operation.ts';
import type { Server } from '../http/server.ts';
import { type LinkCookie, toLinkExpiry, toLinkPassword } from '../links/links.ts';
import {
  ChangeBody,
  changeShare,
  createShare,
  deleteShare,
  listShares,
  ImportBody,
  PasswordBody,
  ShareQuery,
  ShareSummary,
  TokenParams,
} from './contract.ts';
import type { SharedDownloads } from './download-routes.ts';
import type { ShareSummaries } from './share-summaries.ts';
import type { ShareOptions, Shares } from './shares.ts';

const BASE = '/api/v2/shares';

const login = { access: 'login', appPassword: 'write' } as const;
const open = { access: 'public', appPassword: 'read' } as const;

interface ShareParts {
  readonly shares: Shares;
  readonly summaries: ShareSummaries;
  readonly downloads: SharedDownloads;
  readonly passwordCookie: LinkCookie;
  readonly clock: Clock;
}

/** Shares (v2). */
export function shareRoutes(server: Server, parts: ShareParts): void {
  ownRoutes(server, parts);
  tokenRoutes(server, parts);
}

/** The caller's own shares. */
function ownRoutes(server: Server, { shares, summaries, clock }: ShareParts): void {
  mount(server, createShare, async (request) => {
    const options = toOptions(request.body, clock.now());
    return summaries.forOwner(
      await shares.create(callerOf(request).accountId, request.body.fileId, options),
    );
  });

  mount(server, listShares, async (request) => {
    const page = await shares.listByOwner(callerOf(request).accountId, toPageRequest(request.query));
    return { ...page, items: [...(await summaries.forOwnerOfAll(page.items))] };
  });

  mount(server, changeShare, async (request) => {
    const changes = toChanges(request.body, clock.now());
    return summaries.forOwner(
      await shares.change(callerOf(request).accountId, request.params.id, changes),
    );
  });

  mount(server, deleteShare, async (request) => {
    await shares.delete(callerOf(request).accountId, request.params.id);
  });
}

/** What the address of a share allows. */
function tokenRoutes(server: Server, parts: ShareParts): void {
  const { shares, summaries, downloads, passwordCookie, clock } = parts;

  server.get(
    `${BASE}/:token`,
    {
      config: open,
      // The response schema applies to the envelope only; a download is a stream, which Fastify does not
      // serialize.
      schema: {
        params: TokenParams,
        querystring: ShareQuery,
        response: { ...envelopedOrFile(ShareSummary), ...redirectResponse },
      },
    },
    async (request, reply) => {
      const share = await shares.get(request.params.token);
      if (request.query.download !== undefined) {
        const password = request.query.password || passwordHeaderOf(request);
        return downloads.send(request, reply as unknown as FastifyReply, share, password);
      }
      if (request.caller?.accountId === share.ownerId) return success(await summaries.forOwner(share));
      const seen = request.method === 'HEAD' ? share : await shares.view(share);
      return success(summaries.forPublic(seen, { isVerified: share.passwordHash === null }));
    },
  );

  server.post(
    `${BASE}/:token/verify-password`,
    {
      config: open,
      schema: { params: TokenParams, body: PasswordBody, response: enveloped(ShareSummary) },
    },
    async (request, reply) => {
      const share = await shares.get(request.params.token);
      await shares.checkPassword(share, request.body.password, requesterOf(request));
      if (share.passwordHash !== null) {
        const isSecure = request.protocol === 'https';
        reply.header('set-cookie', passwordCookie.toSetCookie(share, clock.now(), isSecure));
      }
      return success(summaries.forPublic(share, { isVerified: true }));
    },
  );

  server.post(
    `${BASE}/:token/import`,
    {
      config: login,
      schema: { params: TokenParams, body: ImportBody, response: enveloped(EntryRecord) },
    },
    async (request) => {
      const target = toImportTarget(request.body);
      const share = await shares.get(request.params.token);
      await shares.checkPassword(share, request.body?.password ?? undefined, requesterOf(request));
      return success(toRecord(await shares.import(actorOf(request), share, target)));
    },
  );
}

/** A field that is missing or null has its default. @throws Failure `invalid` */
function toOptions(body: ChangeBody, now: Instant): ShareOptions {
  return {
    shareName: body.shareName?.trim() || null,
    password: toLinkPassword(body.password),
    expiresAt: toLinkExpiry(body.expiresAt, now),
    maxDownloads: body.maxDownloads ?? null,
    allowImport: body.allowImport ?? true,
    allowDownload: body.allowDownload ?? true,
  };
}

/** Only the options that the body has. @throws Failure `invalid` */
function toChanges(body: ChangeBody, now: Instant): Partial<ShareOptions> {
  const { shareName, password, expiresAt, maxDownloads, allowImport, allowDownload } = toOptions(body, now);
  return {
    ...(body.shareName !== undefined && { shareName }),
    ...(body.password !== undefined && { password }),
    ...(body.expiresAt !== undefined && { expiresAt }),
    ...(body.maxDownloads !== undefined && { maxDownloads }),
    ...(body.allowImport !== undefined && { allowImport }),
    ...(body.allowDownload !== undefined && { allowDownload }),
  };
}

/** `X-Share-Password`. Some clients send it in Latin-1. */
function passwordHeaderOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-share-password'];
  if (typeof header !== 'string') return undefined;
  return decodeHeader(header) ?? header;
}
