import { callerOf } from '../../http/caller.ts';
import { sendFile } from '../../http/download/file-download.ts';
import { checkContentLength, readFileForm, readSmallFile } from '../../http/forms/multipart.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { AVATAR_TOO_LARGE, type Avatars, MAX_AVATAR_BYTES } from './avatar.ts';
import { announceAvatar, completeAvatar, downloadAvatar, uploadAvatar } from './contract.ts';

/** The profile picture of the caller. */
export function avatarRoutes(server: Server, avatars: Avatars, baseUrl: () => string): void {
  mount(server, announceAvatar, async (request) => {
    const storageName = await avatars.initiate(callerOf(request).accountId, request.body);
    return {
      direct: false,
      uploadUrl: `${baseUrl()}/api/user/avatar/upload?${new URLSearchParams({ storageName })}`,
      method: 'POST',
      headers: {},
      storageName,
    };
  });

  mount(server, uploadAvatar, async (request) => {
    checkContentLength(request, MAX_AVATAR_BYTES, AVATAR_TOO_LARGE);
    // The field with the storage name may follow the file. A picture is small enough to be buffered until
    // then.
    const form = await readFileForm(request, ({ bytes }) =>
      readSmallFile(bytes, MAX_AVATAR_BYTES, AVATAR_TOO_LARGE),
    );
    const storageName = await avatars.store(callerOf(request).accountId, form.received, {
      storageName: request.query.storageName ?? form.fields.storageName,
      contentType: form.contentType,
    });
    return { storageName };
  });

  mount(server, completeAvatar, async (request) =>
    avatars.complete(callerOf(request).accountId, request.body.storageName),
  );

  mount(server, downloadAvatar, async (request, reply) =>
    sendFile(request, reply, await avatars.open(callerOf(request).accountId)),
  );
}
