import type { HoldallError } from '../../../../client/src/errors/errors.ts';
import type { EntryRecord } from '../../../../client/src/generated/records.ts';

/**
 * - `waiting` for a slot, `sending`, `delayed` until the service is reachable again, `paused` by the user.
 * - `taken`: the name is taken, and the user has not decided yet.
 * - `detached`: started before a reload, and the page does not have its file yet.
 * - The others are final.
 */
type UploadStatus =
  | 'waiting'
  | 'sending'
  | 'delayed'
  | 'paused'
  | 'taken'
  | 'detached'
  | 'done'
  | 'skipped'
  | 'failed';

/** Why an upload failed, as detailed as the user needs to act on it. */
export type Problem =
  | { readonly kind: 'changed' | 'folder-in-the-way' | 'parent-is-file' | 'store' | 'unknown' }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'over-quota' }
  | { readonly kind: 'refused'; readonly error: HoldallError };

/** A file or an empty folder on its way into the drive. Immutable: each step creates a new object. */
export interface Upload {
  readonly id: string;
  /** Shared by files that were chosen or dropped together. */
  readonly batchId: string;
  readonly kind: 'file' | 'directory';
  /** The id of the target drive; undefined for the personal drive. */
  readonly driveId?: number | undefined;
  /** The target directory in the drive. */
  readonly directoryPath: string;
  readonly name: string;
  readonly size: number;
  /** When the file was last modified on the user's disk; undefined for a folder. */
  readonly modifiedAt?: string | undefined;
  readonly sentBytes: number;
  /** Set while the file is compared with the one of that name: the number of bytes read so far. */
  readonly comparedBytes?: number | undefined;
  /** The entry with the name of the upload, if the folder has one. */
  readonly existing?: EntryRecord | undefined;
  /** Whether the folder had this file with the same bytes, so nothing was sent. */
  readonly isAlreadyHere?: boolean | undefined;
  readonly status: UploadStatus;
  readonly problem?: Problem | undefined;
  /** For a detached upload: whether the browser has a handle and only needs permission. */
  readonly isRemembered?: boolean;
  /** For a detached upload: whether it was chosen together with its folder. */
  readonly isInFolder?: boolean;
  /** For a detached upload: whether the user has hidden it for now. It can be continued like the others. */
  readonly isPostponed?: boolean;
}

const ENDS: readonly UploadStatus[] = ['done', 'skipped', 'failed'];
const MOVING: readonly UploadStatus[] = ['waiting', 'sending', 'delayed'];

export function isEnded({ status }: Upload): boolean {
  return ENDS.includes(status);
}

/** Whether it continues by itself. */
export function isMoving({ status }: Upload): boolean {
  return MOVING.includes(status);
}

/** Whether the user must act: make a decision, provide the file, or handle a failure. */
export function needsUser({ status }: Upload): boolean {
  return status === 'taken' || status === 'detached' || status === 'failed';
}

export function pathOf({ directoryPath, name }: { directoryPath: string; name: string }): string {
  return directoryPath === '/' ? `/${name}` : `${directoryPath}/${name}`;
}

/** The totals of all uploads. */
export interface Totals {
  readonly count: Readonly<Record<UploadStatus, number>>;
  readonly all: number;
  /** How many of the done ones were in their folders before. */
  readonly alreadyHere: number;
  /** How many are active, and how many have ended. */
  readonly moving: number;
  readonly ended: number;
  readonly size: number;
  readonly sentBytes: number;
  /** 0 to 1. */
  readonly progress: number;
}

/** Each file counts as this many extra bytes, so many small files make visible progress. */
const BYTES_FOR_ONE = 16 * 1024;

export function sumUp(uploads: readonly Upload[]): Totals {
  const count = {
    ...{ waiting: 0, sending: 0, delayed: 0, paused: 0, taken: 0, detached: 0 },
    ...{ done: 0, skipped: 0, failed: 0 },
  };
  let size = 0;
  let sentBytes = 0;
  let alreadyHere = 0;
  let weight = 0;
  let carried = 0;
  for (const upload of uploads) {
    count[upload.status] += 1;
    if (upload.isAlreadyHere === true) alreadyHere += 1;
    if (upload.status === 'skipped' || upload.status === 'failed') continue;
    const sent = upload.status === 'done' ? upload.size : upload.sentBytes;
    size += upload.size;
    sentBytes += sent;
    weight += upload.size + BYTES_FOR_ONE;
    carried += sent + (upload.status === 'done' ? BYTES_FOR_ONE : 0);
  }
  return {
    count,
    all: uploads.length,
    alreadyHere,
    moving: count.waiting + count.sending + count.delayed,
    ended: count.done + count.skipped + count.failed,
    size,
    sentBytes,
    progress: weight === 0 ? 1 : carried / weight,
  };
}
