import type { FastifyRequest } from 'fastify';
import { checkDigests } from '../../base/bytes/digest-check.ts';
import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import { actorOf, callerOf } from '../../http/caller.ts';
import { namesContent } from '../../http/download/conditional-request.ts';
import { senderOf } from '../../http/download/file-sender.ts';
import { expectedFileSize } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import { leaveBodiesRaw, readRawBody } from '../../http/parsing/bodies.ts';
import type { Server } from '../../http/server.ts';
import { toModifiedAt } from '../creation/new-file.ts';
import { etagOf } from '../download/downloads.ts';
import type { Drive } from '../drive.ts';
import { type Entry, toRecord } from '../entries/entry.ts';
import { outdated } from './content-replacement.ts';
import {
  deleteVersion,
  downloadVersion,
  type FileVersion,
  listVersions,
  replaceContent,
  restoreVersion,
} from './contract.ts';
import type { Version } from './queries.ts';

/** The routes that replace the content of a file, and those for its former contents. */
export function versionRoutes(server: Server, drive: Drive, accelRedirect: string | undefined): void {
  const { versions, fileContents } = drive;
  const send = senderOf(accelRedirect);

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    mount(scope, replaceContent, async (request, reply) => {
      const file = await fileContents.replace(actorOf(request), request.params.fileId, {
        source: checkDigest(request),
        size: expectedFileSize(request),
        modifiedAt: toModifiedAt(request.query.modifiedAt),
        check: checkTag(request),
      });
      // The next change of the same client can name this content.
      reply.header('etag', `"${etagOf(file.entry)}"`);
      return toRecord(file);
    });
  });

  mount(server, listVersions, async (request) => {
    const found = await versions.list(callerOf(request).accountId, request.params.fileId);
    return found.map(toVersionRecord);
  });

  mount(server, downloadVersion, async (request, reply) => {
    const { fileId, versionId } = request.params;
    return send(request, reply, await versions.open(callerOf(request).accountId, fileId, versionId));
  });

  mount(server, restoreVersion, async (request) => {
    const { fileId, versionId } = request.params;
    return toRecord(await versions.restore(actorOf(request), fileId, versionId));
  });

  mount(server, deleteVersion, async (request) => {
    const { fileId, versionId } = request.params;
    await versions.delete(callerOf(request).accountId, fileId, versionId);
  });
}

/** The body, which must have the digest of `X-Checksum-Sha256`, in hex. @throws Failure `invalid` */
function checkDigest(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const { 'x-checksum-sha256': header } = request.headers;
  if (header === undefined) return readRawBody(request);
  const hex = String(header).trim();
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new Failure('invalid', 'X-Checksum-Sha256 must be the SHA-256 of the bytes, as 64 hex digits.');
  }
  const expected = { algorithm: 'sha256', digest: Buffer.from(hex, 'hex') } as const;
  return checkDigests(readRawBody(request), [expected], otherDigest);
}

function otherDigest(): Failure {
  return new Failure('invalid', 'The bytes that arrived do not have the announced checksum.');
}

/** `If-Match` (RFC 9110, section 13.1.1), with the tag of a download. */
function checkTag({ headers }: FastifyRequest) {
  return (current: Entry | undefined) => {
    const { 'if-match': ifMatch } = headers;
    if (ifMatch === undefined || current === undefined) return;
    if (!namesContent(ifMatch, etagOf(current))) throw outdated();
  };
}

function toVersionRecord({ id, size, sha256, modifiedAt, replacedAt }: Version): FileVersion {
  return {
    id,
    size,
    sha256,
    modifiedAt: toTimestamp(modifiedAt),
    replacedAt: toTimestamp(replacedAt),
  };
}
