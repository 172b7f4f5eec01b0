import { DavError } from '../dav-error.ts';
import type { EntryTarget } from '../protocol/href.ts';
import type { DavRequest } from '../protocol/messages.ts';

/** A COPY or MOVE from the drive of its request to another drive of the caller. */
export interface CopyBetween {
  readonly request: DavRequest;
  /** The destination, and its drive, in which the caller is at least an EDITOR. */
  readonly target: EntryTarget & { readonly driveId: number };
  readonly isMove: boolean;
  /** Whether a directory is copied with everything below it. */
  readonly isDeep: boolean;
  /** Whether an entry at the destination is replaced. Otherwise, the request fails with 412. */
  readonly overwrite: boolean;
}

/** @throws DavError 502 (RFC 4918, section 9.8.5): entries cannot be copied to another drive */
export async function copyBetween({ isMove }: CopyBetween): Promise<{ readonly isReplaced: boolean }> {
  throw new DavError(502, `Entries cannot be ${isMove ? 'moved' : 'copied'} to another drive.`);
}
