import type { EntryRecord } from '../../src/drive/contract.ts';
import type { Person } from './person.ts';

const UPLOAD = '/api/files/upload';

/** What `initiate` answers. */
export interface Target {
  readonly uploadUrl: string;
  readonly storageName: string;
}

export function initiate(person: Person, body: object): Promise<Target> {
  return person.ask('POST', `${UPLOAD}/initiate`, { body });
}

export function put(person: Person, target: Target, bytes: string | Buffer): Promise<unknown> {
  return person.ask('PUT', target.uploadUrl, { body: Buffer.from(bytes) });
}

export function complete(person: Person, { storageName }: Target, place: object): Promise<EntryRecord> {
  return person.ask('POST', `${UPLOAD}/complete`, { body: { path: '/', ...place, storageName } });
}
