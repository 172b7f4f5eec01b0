import type { UploadLimit, UploadReservation } from '../../accounts/accounts.ts';
import type { Instant } from '../../base/clock.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import type { Db, Tx } from '../../database/database.ts';
import { type Drive, type Entry, etagOf, toNewFile } from '../../drive/drive.ts';
import { DavError } from '../dav-error.ts';
import { checkTokens } from '../locks/locks.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { textOf } from '../protocol/request-headers.ts';
import { findResource, getMember, getPlace, type Resource } from '../resource.ts';
import { type ChangeContext, targetsOfCreation } from './change-context.ts';
import { checkContent, readChecksums } from './content-checksum.ts';

type StoredBytes = Awaited<ReturnType<Drive['fileCreation']['store']>>;

/**
 * PUT (RFC 4918, section 9.7). The content is stored first, where nothing refers to it. Then one transaction checks
 * everything again and creates the file or replaces its content, so a request that fails leaves nothing behind.
 */
export async function putContent(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { accounts, drive, database } = context;
  const { headers, actor } = request;
  // RFC 9110, section 14.5: a part of a file must not replace the whole file.
  if (headers['content-range'] !== undefined) {
    throw new Failure('invalid', 'PUT with Content-Range is not supported.');
  }
  const checksums = readChecksums(headers);
  const modifiedAt = readModifiedAt(request);
  // Checked before the body is read, and again in the transaction.
  await check(database.db, context, request);
  const limit = await drive.fileCreation.getUploadLimit(actor.ownerId);
  const size = expectedSize(request);
  if (size.minBytes > limit.maxBytes) throw overLimit(limit);
  const stored = await drive.fileCreation.reserveDuring(actor.ownerId, size, async (reservation) => {
    const bytes = await storeContent(drive, limit, reservation, checkContent(request.content(), checksums));
    try {
      return await accounts.withDriveLock(actor.ownerId, 0, async (tx) => {
        await reservation.endWith(tx);
        return await place(tx, context, request, bytes, modifiedAt);
      });
    } catch (error) {
      if (isDefiniteFailure(error) || error instanceof DavError) await drive.fileCreation.discard(bytes);
      throw error;
    }
  });
  return {
    status: stored.isNew ? 201 : 204,
    headers: {
      etag: `"${etagOf(stored.entry)}"`,
      ...(modifiedAt !== undefined && { 'x-oc-mtime': 'accepted' }),
    },
  };
}

/** @throws DavError 405 for a directory, 409 without a parent, 412, 423 */
async function check(db: Db, context: ChangeContext, request: DavRequest): Promise<Resource> {
  const { drive, preconditions } = context;
  const resource = await findResource(db, drive, request.actor.ownerId, request.path);
  if (resource.entry?.isDirectory === true || request.hasSlash) {
    // Section 9.7.2.
    throw new DavError(405, 'The content of a directory cannot be replaced.');
  }
  getPlace(resource);
  const { view, tokens } = await preconditions.check(db, request, resource);
  checkTokens(view, resource.exists ? [resource] : targetsOfCreation(resource), tokens);
  return resource;
}

async function place(
  tx: Tx,
  context: ChangeContext,
  request: DavRequest,
  bytes: StoredBytes,
  modifiedAt: Instant | undefined,
): Promise<{ readonly entry: Entry; readonly isNew: boolean }> {
  const { accounts, drive } = context;
  const { actor, headers } = request;
  const resource = await check(tx, context, request);
  const { directoryPath, name } = getPlace(resource);
  const file = toNewFile({
    path: directoryPath,
    filename: name,
    contentType: textOf(headers, 'content-type'),
  });
  if (resource.exists) {
    const { contentType } = file;
    const content = { bytes, contentType, modifiedAt };
    const { entry } = await drive.contentReplacement.replaceWithBytes(
      tx,
      actor,
      getMember(resource),
      content,
    );
    return { entry, isNew: false };
  }
  await accounts.chargeUsage(tx, actor.ownerId, { bytes: bytes.size, files: 1, entries: 1 });
  const { entry } = await drive.fileCreation.insertFile(tx, actor, bytes, { ...file, modifiedAt });
  return { entry, isNew: true };
}

async function storeContent(
  drive: Drive,
  limit: UploadLimit,
  reservation: UploadReservation,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredBytes> {
  try {
    return await drive.fileCreation.store(content, limit, reservation);
  } catch (error) {
    // The store stops at the limit of the file. Other limits, such as the reservations, are about space.
    throw error instanceof Failure && error.message === limit.message ? overLimit(limit) : error;
  }
}

/** A file that is too large by itself is 413; without space for it 507 (RFC 4918, section 11.5). */
function overLimit({ limitedBy, message }: UploadLimit): DavError {
  return new DavError(limitedBy === 'size' ? 413 : 507, message);
}

function expectedSize({ headers, hasBody }: DavRequest) {
  const { 'content-length': length } = headers;
  if (!hasBody) return { minBytes: 0, maxBytes: 0 };
  if (length === undefined) return { minBytes: 0, maxBytes: undefined };
  return { minBytes: Number(length), maxBytes: Number(length) };
}

/** ownCloud's header with the time of the last modification, in seconds since 1970. @throws Failure `invalid` */
function readModifiedAt({ headers }: DavRequest): Instant | undefined {
  const text = textOf(headers, 'x-oc-mtime')?.trim();
  if (text === undefined) return undefined;
  const instant = /^\d{1,11}(\.\d{1,9})?$/.test(text) ? Math.floor(Number(text) * 1_000) : Number.NaN;
  if (!Number.isSafeInteger(instant)) throw new Failure('invalid', 'X-OC-Mtime must be seconds since 1970.');
  return instant;
}
