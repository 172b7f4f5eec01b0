import type { Decision, Upload } from '../upload.ts';

/** An upload, and what the queue has to know of it beyond what is shown. */
export interface Job {
  upload: Upload;
  readonly fileName: string;
  readonly folders: readonly string[];
  readonly lastModified: number;
  readonly rootId: string | undefined;
  open: (() => Promise<File>) | undefined;
  sessionId: string | undefined;
  parts: number[];
  decision: Decision | undefined;
  /** How often a taken name has been dealt with. */
  decided: number;
  tries: number;
  /** How much had arrived at the last failure. */
  sentBefore: number;
  wasCutOff: boolean;
  attempt: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** One that nobody has tried to send yet. */
export function newJob(
  start: Pick<Job, 'upload' | 'fileName' | 'folders' | 'lastModified' | 'rootId' | 'open'>,
): Job {
  return {
    ...{ sessionId: undefined, parts: [], decision: undefined, decided: 0, tries: 0, sentBefore: 0 },
    ...{ wasCutOff: false, attempt: undefined, timer: undefined },
    ...start,
  };
}

/** Breaks off the attempt that is made at it, or the wait for the next one. What it is from now on, the caller says. */
export function stopJob(job: Job, why: string): void {
  clearTimeout(job.timer);
  job.attempt?.abort(new Error(`The upload was ${why}.`));
  job.attempt = undefined;
}

/** Whether its file is there, and is still one that the page may read. */
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
