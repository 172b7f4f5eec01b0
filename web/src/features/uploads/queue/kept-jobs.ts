import type { Root } from '../files/picked-files.ts';
import type { KeptUpload, UploadKeeper } from '../persistence/kept-upload.ts';
import { type Job, newJob } from './upload-job.ts';

/** How a file that was picked before the page was loaded anew is found again. */
export interface Access {
  /** Undefined where the person has to pick it again. */
  readonly open: (() => Promise<File>) | undefined;
  /** Whether it may be opened at once. */
  readonly isPermitted: boolean;
}

/** What is remembered of the jobs. The keeper hears of many changes at once: `store` tells it of all since the last time. */
export class KeptJobs {
  readonly #keeper: UploadKeeper;
  readonly #unkept = new Set<Job>();
  readonly #forgotten = new Set<string>();
  /** That are kept. */
  readonly #roots = new Set<string>();

  constructor(keeper: UploadKeeper) {
    this.#keeper = keeper;
  }

  /** At once, since the files of the jobs are found by it. */
  keepRoot(root: Root): void {
    if (this.#roots.has(root.id)) return;
    this.#roots.add(root.id);
    this.#keeper.putRoot(root);
  }

  keep(job: Job): void {
    this.#unkept.add(job);
  }

  forget(job: Job): void {
    this.#unkept.delete(job);
    this.#forgotten.add(job.upload.id);
  }

  store(): void {
    if (this.#unkept.size > 0) this.#keeper.put(Array.from(this.#unkept, toKept));
    if (this.#forgotten.size > 0) this.#keeper.remove([...this.#forgotten]);
    this.reset();
  }

  /** The keeper stays with what it knows. */
  reset(): void {
    this.#unkept.clear();
    this.#forgotten.clear();
  }
}

export function fromKept(kept: KeptUpload, { open, isPermitted }: Access): Job {
  const { id, batchId, kind, directoryPath, name, size, fileName, folders, lastModified, rootId } = kept;
  const canGoOn = kind === 'directory' || isPermitted;
  const status = !canGoOn ? 'detached' : kept.isPaused ? 'paused' : 'waiting';
  return {
    ...newJob({
      upload: {
        ...{ id, batchId, kind, directoryPath, name, size, sentBytes: 0, status },
        isRemembered: open !== undefined,
        isInFolder: folders.length > 0,
      },
      ...{ fileName, folders, lastModified, rootId, open },
    }),
    ...{ sessionId: kept.sessionId, parts: [...kept.parts], decision: kept.decision, wasCutOff: true },
  };
}

function toKept(job: Job): KeptUpload {
  const { id, batchId, kind, directoryPath, name, size, status } = job.upload;
  const { fileName, folders, lastModified, rootId, sessionId, parts, decision } = job;
  return {
    ...{ id, batchId, kind, directoryPath, name, size, fileName, folders, lastModified, rootId, sessionId },
    ...{ parts: [...parts], decision, isPaused: status === 'paused' },
  };
}
