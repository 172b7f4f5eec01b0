import { Failure } from '../../base/failure.ts';
import { callerOf } from '../../http/caller.ts';
import { downloadResponses } from '../../http/download/download-responses.ts';
import { sendFile } from '../../http/download/file-download.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { UploadTarget } from '../../http/fields.ts';
import { checkContentLength, readFileForm } from '../../http/forms/multipart.ts';
import type { Server } from '../../http/server.ts';
import {
  AvatarCompleteBody,
  AvatarContentQuery,
  AvatarInitiateBody,
  AvatarUploaded,
  AvatarUploadQuery,
  User,
} from '../contract.ts';
import { AVATAR_TOO_LARGE, type Avatars, MAX_AVATAR_BYTES } from './avatar.ts';

const UPLOAD_PATH = '/api/user/avatar/upload';

/** Routes of `/api/user/avatar/**`. */
export function avatarRoutes(server: Server, avatars: Avatars, baseUrl: () => string): void {
  const config = { access: 'login', appPassword: 'never' } as const;

  server.post(
    '/api/user/avatar/upload/initiate',
    { config, schema: { body: AvatarInitiateBody, response: enveloped(UploadTarget) } },
    async (request) => {
      const storageName = await avatars.initiate(callerOf(request).accountId, request.body);
      return success({
        direct: false,
        uploadUrl: `${baseUrl()}${UPLOAD_PATH}?${new URLSearchParams({ storageName })}`,
        method: 'POST',
        headers: {},
        storageName,
      });
    },
  );

  server.post(
    UPLOAD_PATH,
    {
      config,
      schema: {
        consumes: ['multipart/form-data'],
        querystring: AvatarUploadQuery,
        response: enveloped(AvatarUploaded),
      },
    },
    async (request) => {
      checkContentLength(request, MAX_AVATAR_BYTES, AVATAR_TOO_LARGE);
      // The field with the storage name may follow the file. A picture is small enough to be buffered until
      // then.
      const form = await readFileForm(request, ({ bytes }) => readPicture(bytes));
      const storageName = await avatars.store(callerOf(request).accountId, form.received, {
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
    {
      config: { ...config, appPassword: 'read' },
      schema: { querystring: AvatarContentQuery, response: downloadResponses },
    },
    async (request, reply) => sendFile(request, reply, await avatars.open(callerOf(request).accountId)),
  );
}

async function readPicture(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > MAX_AVATAR_BYTES) throw new Failure('over-limit', AVATAR_TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
