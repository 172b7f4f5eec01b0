import type { FastifyRequest } from 'fastify';
import type { Clock, Instant } from '../base/clock.ts';
import { toPageRequest } from '../base/page.ts';
import { toImportTarget } from '../drive/contract.ts';
import type { EntryRecords } from '../drive/drive.ts';
import { callerOf, requesterOf } from '../http/caller.ts';
import { actorOf, driveIdOf } from '../http/chosen-drive.ts';
import { sendGenerated } from '../http/download/generated-file.ts';
import { mount } from '../http/operation.ts';
import { decodeHeader } from '../http/parsing/header-text.ts';
import type { Server } from '../http/server.ts';
import {
  type LinkCookie,
  type OwnerAvatars,
  passwordRequired,
  toLinkExpiry,
  toLinkPassword,
} from '../links/links.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import {
  type ChangeBody,
  changeShare,
  createShare,
  deleteShare,
  getShare,
  getShareOwnerAvatar,
  getShareThumbnail,
  importShare,
  listShares,
  verifySharePassword,
} from './contract.ts';
import { checkUsable } from './share.ts';
import type { ShareSummaries } from './share-summaries.ts';
import type { SharedDownloads } from './shared-downloads.ts';
import type { ShareOptions, Shares } from './shares.ts';

interface ShareParts {
  readonly shares: Shares;
  readonly records: EntryRecords;
  readonly summaries: ShareSummaries;
  readonly downloads: SharedDownloads;
  readonly thumbnails: Thumbnails;
  readonly ownerAvatars: OwnerAvatars;
  readonly passwordCookie: LinkCookie;
  readonly clock: Clock;
}

/** Shares (v2). */
export function shareRoutes(server: Server, parts: ShareParts): void {
  ownRoutes(server, parts);
  tokenRoutes(server, parts);
  pictureRoutes(server, parts);
}

/** The caller's own shares. */
function ownRoutes(server: Server, { shares, summaries, clock }: ShareParts): void {
  mount(server, createShare, async (request) => {
    const options = toOptions(request.body, clock.now());
    const share = await shares.create(actorOf(request), request.body.fileId, options);
    return summaries.forUser(callerOf(request), share);
  });

  mount(server, listShares, async (request) => {
    const page = await shares.listByDrive(driveIdOf(request), toPageRequest(request.query));
    return { ...page, items: [...(await summaries.forUserOfAll(callerOf(request), page.items))] };
  });

  mount(server, changeShare, async (request) => {
    const changes = toChanges(request.body, clock.now());
    const share = await shares.change(actorOf(request), request.params.id, changes);
    return summaries.forUser(callerOf(request), share);
  });

  mount(server, deleteShare, async (request) => {
    await shares.delete(actorOf(request), request.params.id);
  });
}

/** The routes for everyone who has the address of a share. */
function tokenRoutes(server: Server, parts: ShareParts): void {
  const { shares, records, summaries, downloads, passwordCookie, clock } = parts;

  mount(server, getShare, async (request, reply) => {
    const share = await shares.get(request.params.token);
    if (request.query.download !== undefined) {
      const password = request.query.password || passwordHeaderOf(request);
      return downloads.send(request, reply, share, password);
    }
    const { caller } = request;
    if (caller?.driveId === share.driveId) return summaries.forUser(caller, share);
    const seen = request.method === 'HEAD' ? share : await shares.view(share);
    return summaries.forPublic(seen, { isVerified: share.passwordHash === null });
  });

  mount(server, verifySharePassword, async (request, reply) => {
    const share = await shares.get(request.params.token);
    await shares.checkPassword(share, request.body.password, requesterOf(request));
    if (share.passwordHash !== null) {
      const isSecure = request.protocol === 'https';
      reply.header('set-cookie', passwordCookie.toSetCookie(share, clock.now(), isSecure));
    }
    return summaries.forPublic(share, { isVerified: true });
  });

  mount(server, importShare, async (request) => {
    const target = toImportTarget(request.body);
    const share = await shares.get(request.params.token);
    await shares.checkPassword(share, request.body?.password ?? undefined, requesterOf(request));
    const imported = await shares.import(actorOf(request), share, target);
    return records.toRecord(callerOf(request), imported);
  });
}

/**
 * The picture of the owner, and the thumbnail of the shared file. They spend no download. Even shares that
 * allow no downloads have them, because their page shows what is shared.
 */
function pictureRoutes(server: Server, parts: ShareParts): void {
  const { shares, thumbnails, ownerAvatars, passwordCookie, clock } = parts;

  const getOpen = async (request: FastifyRequest, token: string) => {
    const share = await shares.get(token);
    const isOwner = request.caller?.driveId === share.driveId;
    const isVerified =
      share.passwordHash === null || passwordCookie.isValid(request.headers.cookie, share, clock.now());
    // An image element can send a cookie, but no password.
    if (!isOwner && !isVerified) throw passwordRequired();
    checkUsable(share, clock.now());
    return share;
  };

  mount(server, getShareThumbnail, async (request, reply) => {
    const share = await getOpen(request, request.params.token);
    const picture = { ...share.entry, location: share.location };
    return sendGenerated(request, reply, thumbnails.fileOf(picture, request.query, requesterOf(request)));
  });

  mount(server, getShareOwnerAvatar, async (request, reply) => {
    const { ownerId } = await getOpen(request, request.params.token);
    const avatar = await ownerAvatars.open(ownerId, request.query.v, requesterOf(request));
    return sendGenerated(request, reply, avatar);
  });
}

/** A missing or null field gets its default. @throws Failure `invalid` */
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

/** Returns only the options that the body contains. @throws Failure `invalid` */
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

/** The password in `X-Share-Password`, which some clients send in Latin-1. */
function passwordHeaderOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-share-password'];
  if (typeof header !== 'string') return undefined;
  return decodeHeader(header) ?? header;
}
