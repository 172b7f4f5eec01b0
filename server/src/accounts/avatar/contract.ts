import { Type } from 'typebox';
import { downloadResponses } from '../../http/download/download-responses.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { ContentTypeText, FileBytes, KeyText, NameText, UploadTarget } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { User } from '../contract.ts';

export const AvatarInitiateBody = Type.Object({
  filename: NameText,
  contentType: Type.String({ ...ContentTypeText, description: 'image/*' }),
  size: Type.Integer({ minimum: 1 }),
});

export const AvatarCompleteBody = Type.Object({ storageName: KeyText });

/**
 * `v` gives each new picture its own URL, so that caches do not serve the old one. The service ignores it.
 */
const ContentQuery = Type.Object({ v: Type.Optional(KeyText) });

export const announceAvatar = operation('POST /api/user/avatar/upload/initiate', {
  does: 'Announces a profile picture, and says where to send it.',
  access: 'login',
  appPassword: 'never',
  body: AvatarInitiateBody,
  data: UploadTarget,
  example: { body: { filename: 'portrait.png', contentType: 'image/png', size: 1_000 } },
});

export const uploadAvatar = operation('POST /api/user/avatar/upload', {
  does: 'Receives the bytes of a profile picture.',
  access: 'login',
  appPassword: 'never',
  query: Type.Object({ storageName: Type.Optional(KeyText) }),
  form: Type.Object({ file: FileBytes }),
  data: Type.Object({ storageName: Type.String() }),
  example: { query: { storageName: EXAMPLE.announcedAvatar }, form: { file: EXAMPLE.content } },
});

export const completeAvatar = operation('POST /api/user/avatar/upload/complete', {
  does: 'Makes an uploaded picture the profile picture of the caller.',
  access: 'login',
  appPassword: 'never',
  body: AvatarCompleteBody,
  data: User,
  example: { body: { storageName: EXAMPLE.storedAvatar } },
});

export const downloadAvatar = operation('GET /api/user/avatar/content', {
  does: 'Downloads the profile picture of the caller.',
  access: 'login',
  appPassword: 'read',
  query: ContentQuery,
  responses: downloadResponses,
  example: {},
});
