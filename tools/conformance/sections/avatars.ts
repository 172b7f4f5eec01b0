import assert from 'node:assert/strict';
import type { UploadTarget } from '../../../server/src/http/fields.ts';
import type { Person } from '../../../server/test/support/app/person.ts';
import { makePng } from '../../../server/test/support/media/pictures.ts';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';
import { sendTo } from './send-to.ts';

const AVATAR = '/api/user/avatar';

export const avatars: Section = {
  title: 'Avatars',
  checks: {
    'a new account has none': async ({ newcomer }) => {
      await refuse('not-found', await newcomer(), 'GET', `${AVATAR}/content`);
    },
    'a picture that was announced, sent and completed is the avatar': async ({ newcomer }) => {
      const person = await newcomer();
      const picture = makePng(8, 8);
      const target = await initiate(person, picture.length);
      // If the target is the service itself, it accepts the picture only as a form.
      if (target.direct) await sendTo(person, target, picture);
      else await person.ask(target.method, target.uploadUrl, { body: formOf(picture) });
      const { storageName } = target;
      const user = await person.ask<{ avatarUrl: string }>('POST', `${AVATAR}/upload/complete`, {
        body: { storageName },
      });
      assert.ok(user.avatarUrl.startsWith(`${AVATAR}/content`));
      const response = await person.fetch('GET', `${AVATAR}/content`);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), picture);
    },
    'a picture can be sent as a form': async ({ newcomer }) => {
      const person = await newcomer();
      await person.ask('POST', `${AVATAR}/upload`, { body: formOf(makePng(4, 4)) });
    },
    'what is no picture is refused': async ({ newcomer }) => {
      const person = await newcomer();
      const announced = { filename: 'me.txt', contentType: 'text/plain', size: 5 };
      await refuse('invalid', person, 'POST', `${AVATAR}/upload/initiate`, { body: announced });
    },
  },
};

function initiate(person: Person, size: number): Promise<UploadTarget> {
  const body = { filename: 'me.png', contentType: 'image/png', size };
  return person.ask('POST', `${AVATAR}/upload/initiate`, { body });
}

function formOf(picture: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new Blob([picture], { type: 'image/png' }), 'me.png');
  return form;
}
