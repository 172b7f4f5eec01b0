import type { FastifyRequest } from 'fastify';
import { checkDigests } from '../../base/bytes/digest-check.ts';
import { Failure } from '../../base/failure.ts';
import { toFileName } from '../../base/text/names/file-name.ts';
import { callerOf } from '../../http/caller.ts';
import { actorOf } from '../../http/chosen-drive.ts';
import { namesContent } from '../../http/download/conditional-request.ts';
import { checkContentLength, expectedFileSize, readFileForm } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import { leaveBodiesRaw, readRawBody } from '../../http/parsing/bodies.ts';
import type { Server } from '../../http/server.ts';
import { replaceContent, uploadFile } from '../contract.ts';
import { etagOf } from '../download/downloads.ts';
import type { Drive } from '../drive.ts';
import type { Entry } from '../entries/entry.ts';
import { outdated } from './content-changes.ts';
import { toModifiedAt, toNewFile, toUploadConflictRule } from './new-file.ts';

/** The routes that receive a file's content in one request. Uploads in several requests are in `uploads/`. */
export function contentRoutes(
  server: Server,
  { content, records }: Pick<Drive, 'content' | 'records'>,
): void {
  mount(server, uploadFile, async (request) => {
    const actor = actorOf(request);
    const limit = await content.getLimit(actor.driveId);
    checkContentLength(request, limit.maxBytes, limit.message);
    const size = expectedFileSize(request);
    const added = await content.reserveDuring({ user: actor, size }, async (write) => {
      const form = await readFileForm(
        request,
        async (file) => {
          // An invalid name is rejected before the bytes are stored.
          toFileName(file.fileName);
          return write.store(file.bytes, limit);
        },
        (bytes) => write.discard(bytes),
      );
      const { fields, fileName: filename, contentType, received } = form;
      return await write.commitFile(actor, received, () => ({
        file: toNewFile({
          path: fields.path ?? request.query.path,
          filename,
          contentType,
          modifiedAt: fields.modifiedAt ?? request.query.modifiedAt,
        }),
        onConflict: toUploadConflictRule(fields.onConflict ?? request.query.onConflict),
      }));
    });
    return records.toRecord(callerOf(request), added);
  });

  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    mount(scope, replaceContent, async (request, reply) => {
      const { file } = await content.store(
        actorOf(request),
        { fileId: request.params.fileId },
        {
          source: checkDigest(request),
          size: expectedFileSize(request),
          modifiedAt: toModifiedAt(request.query.modifiedAt),
          check: checkTag(request),
        },
      );
      // The client can send this tag with its next change.
      reply.header('etag', `"${etagOf(file.entry)}"`);
      return records.toRecord(callerOf(request), file);
    });
  });
}

/**
 * The request body. If `X-Checksum-Sha256` is sent, the bytes must have that digest, in hex.
 * @throws Failure `invalid`
 */
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
