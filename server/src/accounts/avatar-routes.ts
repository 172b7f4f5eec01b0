import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../base/failure.ts';
import { callerOf } from '../http/caller.ts';
import { enveloped, success } from '../http/envelope.ts';
import { checkAnnouncedLength, readFileForm } from '../http/file-part.ts';
import type { Server } from '../http/server.ts';
import { UploadTarget } from '../http/upload-target.ts';
import { AVATAR_TOO_LARGE, type Avatars, MAX_AVATAR_BYTES } from './avatar.ts';
import {
  AvatarCompleteBody,
  AvatarContentQuery,
  AvatarInitiateBody,
  AvatarUploaded,
  AvatarUploadQuery,
  User,
} from './contract.ts';
import type { Picture } from './queries.ts';

/** `/api/user/avatar/**` */
export function avatarRoutes(server: Server, avatars: Avatars): void {
  const config = { access: 'login' } as const;

  server.post(
    '/api/user/avatar/upload/initiate',
    { config, schema: { body: AvatarInitiateBody, response: enveloped(UploadTarget) } },
    async (request) => success(await avatars.initiate(callerOf(request).accountId, request.body)),
  );

  server.post(
    '/api/user/avatar/upload',
    {
      config,
      schema: {
        consumes: ['multipart/form-data'],
        querystring: AvatarUploadQuery,
        response: enveloped(AvatarUploaded),
      },
    },
    async (request) => {
      checkAnnouncedLength(request, MAX_AVATAR_BYTES, AVATAR_TOO_LARGE);
      // The field that names the upload may come behind the file; a picture is small enough to wait for it.
      const form = await readFileForm(request, ({ stream }) => readPicture(stream));
      const storageName = await avatars.store(callerOf(request).accountId, form.taken, {
        storageName: request.query.storageName ?? form.fields.storageName,
        contentType: form.contentType,
      });
      return success({ storageName });
    },
  );

  server.post(
    '/api/user/avatar/upload/complete',
    { config, schema: { body: AvatarCompleteBody, response: enveloped(User) } },
    async (request) => success(await avatars.complete(callerOf(request).accountId, request.body.storageName)),
  );

  server.get(
    '/api/user/avatar/content',
    { config, schema: { querystring: AvatarContentQuery } },
    async (request, reply) =>
      sendPicture(avatars, await avatars.get(callerOf(request).accountId), request, reply),
  );
}

async function readPicture(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_AVATAR_BYTES) throw new Failure('over-limit', AVATAR_TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function sendPicture(
  avatars: Avatars,
  picture: Picture,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${picture.sha256 ?? picture.blobId}"`;
  const type = picture.contentType ?? 'application/octet-stream';
  const name = `avatar.${type.slice(type.indexOf('/') + 1)}`;
  reply.headers({ etag, 'cache-control': 'private, no-cache' });
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.some((tag) => tag === etag || tag === '*')) return reply.code(304).send();
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(await avatars.read(picture));
}
