import type { IncomingHttpHeaders } from 'node:http';
import { checkDigests, type ExpectedDigest } from '../../base/bytes/digest-check.ts';
import type { Instant } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { parseUnixTime } from '../../base/file-times.ts';
import type { Db } from '../../database/database.ts';
import { etagOf, toNewFile } from '../../drive/drive.ts';
import type { UploadLimit } from '../../drives/drives.ts';
import { DavError } from '../dav-error.ts';
import { checkTokens } from '../locks/locks.ts';
import type { DavAnswer, DavRequest } from '../protocol/messages.ts';
import { textOf } from '../protocol/request-headers.ts';
import { findResource, getPlace, type Resource } from '../resource.ts';
import { type ChangeContext, targetsOfCreation } from './change-context.ts';

/**
 * PUT (RFC 4918, section 9.7). The content is stored first, where nothing refers to it. Then one transaction
 * checks everything again and creates the file or replaces its content. So a failed request leaves nothing
 * behind.
 */
export async function putContent(context: ChangeContext, request: DavRequest): Promise<DavAnswer> {
  const { drive, database } = context;
  const { headers, actor } = request;
  // RFC 9110, section 14.5: a part of a file must not replace the whole file.
  if (headers['content-range'] !== undefined) {
    throw new Failure('invalid', 'PUT with Content-Range is not supported.');
  }
  const checksums = readChecksums(headers);
  const modifiedAt = readModifiedAt(request);
  const resource = await check(database.db, context, request);
  const limit = await drive.content.getLimit(actor.driveId, { replaced: resource.entry });
  const size = expectedSize(request);
  if (size.minBytes > limit.maxBytes) throw overLimit(limit);
  const { directoryPath, name } = getPlace(resource);
  const contentType = textOf(headers, 'content-type');
  const { file, isNew } = await drive.content.store(
    actor,
    { file: toNewFile({ path: directoryPath, filename: name, contentType }), createsParents: false },
    {
      source: limitSize(checkDigests(request.content(), checksums, otherDigest), limit),
      size,
      modifiedAt,
      check: async (_current, db) => void (await check(db, context, request)),
    },
  );
  return {
    status: isNew ? 201 : 204,
    headers: {
      etag: `"${etagOf(file.entry)}"`,
      ...(modifiedAt !== undefined && { 'x-oc-mtime': 'accepted' }),
    },
  };
}

/** @throws DavError 405 for a directory, 409 without a parent, 412, 423 */
async function check(db: Db, context: ChangeContext, request: DavRequest): Promise<Resource> {
  const { drive, preconditions } = context;
  const resource = await findResource(db, drive, request.actor.driveId, request.path);
  if (resource.entry?.isDirectory === true || request.hasSlash) {
    // Section 9.7.2.
    throw new DavError(405, 'The content of a directory cannot be replaced.');
  }
  getPlace(resource);
  const { view, tokens } = await preconditions.check(db, request, resource);
  checkTokens(view, resource.exists ? [resource] : targetsOfCreation(resource), tokens);
  return resource;
}

/**
 * Stops content that is larger than any file of this drive may be. Content that exceeds the free space is
 * stopped when it is stored.
 */
async function* limitSize(source: AsyncIterable<Uint8Array>, limit: UploadLimit): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (limit.limitedBy === 'size' && bytes > limit.maxBytes) throw overLimit(limit);
    yield chunk;
  }
}

/** 413 for a file that is too large in itself; 507 if there is no space for it (RFC 4918, section 11.5). */
function overLimit({ limitedBy, message }: UploadLimit): DavError {
  return new DavError(limitedBy === 'size' ? 413 : 507, message);
}

function otherDigest(): Failure {
  return new Failure('invalid', 'The content does not have the digest of OC-Checksum. It was not stored.');
}

function expectedSize({ headers, hasBody }: DavRequest) {
  const { 'content-length': length } = headers;
  if (!hasBody) return { minBytes: 0, maxBytes: 0 };
  if (length === undefined) return { minBytes: 0, maxBytes: undefined };
  return { minBytes: Number(length), maxBytes: Number(length) };
}

/** Reads ownCloud's header with the modification time, in seconds since 1970. An invalid one is ignored. */
function readModifiedAt({ headers }: DavRequest): Instant | undefined {
  return parseUnixTime(textOf(headers, 'x-oc-mtime') ?? '');
}

const DIGEST_LENGTHS = { sha256: 64, sha1: 40, md5: 32 } as const;
const MAX_LENGTH = 512;

/**
 * Reads `OC-Checksum` from ownCloud's clients: one or more of `SHA1:…`, in hexadecimal digits, separated by
 * spaces. Unknown algorithms are ignored.
 * @throws Failure `invalid` for a digest of the wrong length
 */
function readChecksums(headers: IncomingHttpHeaders): readonly ExpectedDigest[] {
  const text = textOf(headers, 'oc-checksum') ?? '';
  if (text.length > MAX_LENGTH) throw new Failure('invalid', 'OC-Checksum is too long.');
  return text
    .split(/\s+/)
    .filter((checksum) => checksum !== '')
    .flatMap((checksum) => {
      const [name = '', digits = ''] = checksum.split(':', 2);
      const algorithm = (['sha256', 'sha1', 'md5'] as const).find((known) => known === name.toLowerCase());
      if (algorithm === undefined) return [];
      if (digits.length !== DIGEST_LENGTHS[algorithm] || !/^[\da-f]*$/i.test(digits)) {
        throw new Failure('invalid', `OC-Checksum has no ${name} digest in hexadecimal digits.`);
      }
      return [{ algorithm, digest: Buffer.from(digits, 'hex') }];
    });
}
