import { makePng } from '../media/pictures.ts';
import type { Person } from './person.ts';

/** Sets a profile picture, and stores another one that is never completed. */
export async function setAvatar(person: Person): Promise<void> {
  for (const isCompleted of [true, false]) {
    const form = new FormData();
    form.set('file', new Blob([makePng()], { type: 'image/png' }), 'me.png');
    const { storageName } = await person.ask<{ storageName: string }>('POST', '/api/user/avatar/upload', {
      body: form,
    });
    const body = { storageName };
    if (isCompleted) await person.ask('POST', '/api/user/avatar/upload/complete', { body });
  }
}
