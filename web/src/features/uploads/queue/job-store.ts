import type { Root } from '../files/picked-files.ts';
import type { SavedUpload, UploadStore } from '../persistence/saved-upload.ts';
import { type Job, newJob } from './upload-job.ts';

/** How to get the file of a stored upload after a reload. */
export interface Access {
  /** Undefined if the user must choose the file again. */
  readonly open: (() => Promise<File>) | undefined;
  /** Whether the file can be read without asking the user. */
  readonly isPermitted: boolean;
}

/** Stores jobs. It collects changes until {@link flush} writes them together. */
export class JobStore {
  readonly #uploadStore: UploadStore;
  readonly #changed = new Set<Job>();
  readonly #removedIds = new Set<string>();
  /** The ids of the stored roots. */
  readonly #rootIds = new Set<string>();

  constructor(uploadStore: UploadStore) {
    this.#uploadStore = uploadStore;
  }

  /** Writes the root immediately, because it is needed to find the files of the jobs. */
  saveRoot(root: Root): void {
    if (this.#rootIds.has(root.id)) return;
    this.#rootIds.add(root.id);
    this.#uploadStore.putRoot(root);
  }

  put(job: Job): void {
    this.#changed.add(job);
  }

  remove(job: Job): void {
    this.#changed.delete(job);
    this.#removedIds.add(job.upload.id);
  }

  /** Writes all changes since the last call. */
  flush(): void {
    if (this.#changed.size > 0) this.#uploadStore.put(Array.from(this.#changed, toSaved));
    if (this.#removedIds.size > 0) this.#uploadStore.remove([...this.#removedIds]);
    this.discardChanges();
  }

  /** Drops all unwritten changes. The stored records stay unchanged. */
  discardChanges(): void {
    this.#changed.clear();
    this.#removedIds.clear();
  }
}

export function fromSaved(saved: SavedUpload, { open, isPermitted }: Access): Job {
  const { id, batchId, kind, driveId, directoryPath, name, size } = saved;
  const { fileName, folders, lastModified, rootId } = saved;
  const canGoOn = kind === 'directory' || isPermitted;
  const status = !canGoOn ? 'detached' : saved.isPaused ? 'paused' : 'waiting';
  return {
    ...newJob({
      upload: {
        ...{ id, batchId, kind, driveId, directoryPath, name, size, sentBytes: 0, status },
        isRemembered: open !== undefined,
        isInFolder: folders.length > 0,
        isPostponed: !canGoOn && saved.isPostponed === true,
      },
      ...{ fileName, folders, lastModified, rootId, open },
    }),
    ...{
      sessionId: saved.sessionId,
      parts: [...saved.parts],
      decision: saved.decision,
      wasInterrupted: true,
    },
  };
}

function toSaved(job: Job): SavedUpload {
  const { id, batchId, kind, driveId, directoryPath, name, size, status } = job.upload;
  const { isPostponed = false } = job.upload;
  const { fileName, folders, lastModified, rootId, sessionId, parts, decision } = job;
  return {
    ...{ id, batchId, kind, driveId, directoryPath, name, size },
    ...{ fileName, folders, lastModified, rootId, sessionId },
    ...{ parts: [...parts], decision, isPaused: status === 'paused', isPostponed },
  };
}
