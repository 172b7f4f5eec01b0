import type { ApiError } from '../../api/api-error.ts';

/**
 * - `waiting` for its turn, `sending`, `delayed` until the service can be reached again, `paused` by the person.
 * - `taken`: something of that name is there, and the person has not said yet what to do.
 * - `detached`: begun before the page was loaded anew, and its file has not been found again yet.
 * - The rest are ends.
 */
export type UploadStatus =
  | 'waiting'
  | 'sending'
  | 'delayed'
  | 'paused'
  | 'taken'
  | 'detached'
  | 'done'
  | 'skipped'
  | 'failed';

/** Why an upload has failed, as far as a person can do something about it. */
export type Problem =
  | { readonly kind: 'changed' | 'folder-in-the-way' | 'parent-is-file' | 'store' | 'unknown' }
  | { readonly kind: 'too-large' | 'over-quota' }
  | { readonly kind: 'refused'; readonly error: ApiError };

/** A file, or an empty folder, on its way into the drive. It is never changed: each step makes another one. */
export interface Upload {
  readonly id: string;
  /** Of those that were picked or dropped together. */
  readonly batchId: string;
  readonly kind: 'file' | 'directory';
  /** Of the drive: where it goes. */
  readonly directoryPath: string;
  readonly name: string;
  readonly size: number;
  readonly sentBytes: number;
  readonly status: UploadStatus;
  readonly problem?: Problem | undefined;
  /** Of a detached one: whether the browser remembers the file and only wants to hear that it may read it. */
  readonly isRemembered?: boolean;
  /** Of a detached one: whether it was picked with the folder that it lies in. */
  readonly isInFolder?: boolean;
}

/** What to do where something of that name is there. */
export type Decision = 'keep-both' | 'replace' | 'skip';

const ENDS: readonly UploadStatus[] = ['done', 'skipped', 'failed'];
const MOVING: readonly UploadStatus[] = ['waiting', 'sending', 'delayed'];

export function isEnded({ status }: Upload): boolean {
  return ENDS.includes(status);
}

/** Whether it goes on by itself. */
export function isMoving({ status }: Upload): boolean {
  return MOVING.includes(status);
}

/** Whether the person is asked for something. */
export function needsPerson({ status }: Upload): boolean {
  return status === 'taken' || status === 'detached' || status === 'failed';
}

export function pathOf({ directoryPath, name }: { directoryPath: string; name: string }): string {
  return directoryPath === '/' ? `/${name}` : `${directoryPath}/${name}`;
}

/** All of the uploads together. */
export interface Totals {
  readonly count: Readonly<Record<UploadStatus, number>>;
  readonly all: number;
  /** How many of them are on their way, and how many have ended. */
  readonly moving: number;
  readonly ended: number;
  readonly size: number;
  readonly sentBytes: number;
  /** 0 to 1. */
  readonly progress: number;
}

/** A file costs as much as so many bytes, however small it is. */
const BYTES_FOR_ONE = 16 * 1024;

export function sumUp(uploads: readonly Upload[]): Totals {
  const count = {
    ...{ waiting: 0, sending: 0, delayed: 0, paused: 0, taken: 0, detached: 0 },
    ...{ done: 0, skipped: 0, failed: 0 },
  };
  let size = 0;
  let sentBytes = 0;
  let weight = 0;
  let carried = 0;
  for (const upload of uploads) {
    count[upload.status] += 1;
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
    moving: count.waiting + count.sending + count.delayed,
    ended: count.done + count.skipped + count.failed,
    size,
    sentBytes,
    progress: weight === 0 ? 1 : carried / weight,
  };
}
