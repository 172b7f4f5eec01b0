import type { Root } from '../files/picked-files.ts';
import type { KeptUpload, UploadKeeper } from '../persistence/kept-upload.ts';
import { type Job, newJob } from './upload-job.ts';

/** How to get the file of a stored upload after a reload. */
export interface Access {
  /** Undefined if the user must choose it again. */
  readonly open: (() => Promise<File>) | undefined;
  /** Whether it can be read without asking the user. */
  readonly isPermitted: boolean;
}

/** Stores jobs. `store` writes all changes since its last call together. */
export class KeptJobs {
  readonly #keeper: UploadKeeper;
  readonly #unkept = new Set<Job>();
  readonly #forgotten = new Set<string>();
  /** The stored jobs. */
  readonly #roots = new Set<string>();

  constructor(keeper: UploadKeeper) {
    this.#keeper = keeper;
  }

  /** At once, because the files of the jobs are found by it. */
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

  /** Forgets the jobs here without deleting what is stored. */
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
