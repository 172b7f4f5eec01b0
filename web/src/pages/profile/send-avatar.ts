import { ask } from '../../api/ask.ts';
import type { UploadTarget, User } from '../../api/contract.ts';

/** Makes a picture the one of whoever is logged in: announced, sent, and taken. @throws ApiError */
export async function sendAvatar(picture: Blob): Promise<User> {
  const filename = 'avatar.jpg';
  const target = await ask<UploadTarget>('POST', '/api/user/avatar/upload/initiate', {
    body: { filename, contentType: picture.type, size: picture.size },
  });
  const form = new FormData();
  form.set('file', picture, filename);
  // It is ours, and so is the page: under whatever name of the host it was opened.
  const { pathname, search } = new URL(target.uploadUrl);
  await ask('POST', pathname + search, { body: form });
  return ask<User>('POST', '/api/user/avatar/upload/complete', {
    body: { storageName: target.storageName },
  });
}
