import { Failure } from '../../base/failure.ts';
import type { TimelinePlace } from './queries.ts';

/** The maximum length of a cursor in a request. The cursors that this server returns are shorter. */
export const MAX_CURSOR_LENGTH = 64;

/** The cursor for the page that follows a file. Clients send it back unchanged. */
export function toCursor({ at, id }: TimelinePlace): string {
  return Buffer.from(`${at}:${id}`).toString('base64url');
}

/** @throws Failure `invalid` for a text that is not a valid cursor */
export function fromCursor(cursor: string): TimelinePlace {
  const [, at, id] =
    /^(-?\d{1,16}):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const place = { at: Number(at), id: Number(id) };
  if (!Number.isSafeInteger(place.at) || !Number.isSafeInteger(place.id) || toCursor(place) !== cursor) {
    throw new Failure('invalid', 'before must be the next of an earlier answer.');
  }
  return place;
}
