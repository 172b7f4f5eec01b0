import { createAppPassword } from '../app/app-passwords.ts';
import type { Person } from '../app/person.ts';
import { DavClient } from './dav-client.ts';

/** A WebDAV client with a new app password of the person. */
export async function asDavClient(person: Person, scope: 'READ' | 'WRITE' = 'WRITE'): Promise<DavClient> {
  const { password } = await createAppPassword(person, { scope });
  return new DavClient(person, { authorization: toBasic(person.username, password) });
}

/** RFC 7617, section 2. */
export function toBasic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
