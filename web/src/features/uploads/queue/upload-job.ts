import type { ConflictDecision } from '../../entries/conflicts/conflict-questions.ts';
import type { Upload } from '../upload.ts';

/** An upload, with the data that the queue needs in addition to the shown state. */
export interface Job {
  upload: Upload;
  readonly fileName: string;
  readonly folders: readonly string[];
  readonly lastModified: number;
  readonly rootId: string | undefined;
  open: (() => Promise<File>) | undefined;
  /** Called when the upload is done or skipped. */
  onSettled: (() => void) | undefined;
  sessionId: string | undefined;
  parts: number[];
  decision: ConflictDecision | undefined;
  /** How often a taken name has been resolved. */
  decided: number;
  tries: number;
  /** The number of bytes that had arrived when the upload last failed. */
  sentBefore: number;
  wasInterrupted: boolean;
  attempt: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Creates a job that has not been tried yet. */
export function newJob(
  start: Pick<Job, 'upload' | 'fileName' | 'folders' | 'lastModified' | 'rootId' | 'open'> &
    Partial<Pick<Job, 'onSettled'>>,
): Job {
  return {
    onSettled: undefined,
    ...{ sessionId: undefined, parts: [], decision: undefined, decided: 0, tries: 0, sentBefore: 0 },
    ...{ wasInterrupted: false, attempt: undefined, timer: undefined },
    ...start,
    upload: { ...start.upload, modifiedAt: toModifiedAt(start) },
  };
}

function toModifiedAt({ upload, lastModified }: Pick<Job, 'upload' | 'lastModified'>): string | undefined {
  return upload.kind === 'file' ? new Date(lastModified).toISOString() : undefined;
}

/** Aborts the running attempt, or the wait for the next one. The caller sets the new state. */
export function stopJob(job: Job, why: string): void {
  clearTimeout(job.timer);
  job.attempt?.abort(new Error(`The upload was ${why}.`));
  job.attempt = undefined;
}

/** Whether the file of a job is available and readable. */
export async function canRead({ open, upload }: Job): Promise<boolean> {
  if (upload.kind === 'directory' || open === undefined) return true;
  try {
    const file = await open();
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
