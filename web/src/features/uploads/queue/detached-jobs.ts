import type { Picked } from '../files/picked-files.ts';
import type { Upload } from '../upload.ts';
import type { Job } from './upload-job.ts';

/** The folder of an upload. */
export type UploadFolder = Pick<Upload, 'driveId' | 'directoryPath'>;

/** Uploads that wait for their file, indexed by the file's name, size and modification time. */
export class DetachedJobs {
  readonly #alike = new Map<string, Job[]>();

  constructor(jobs: Iterable<Job>) {
    for (const job of jobs) {
      if (job.upload.status !== 'detached') continue;
      const key = keyOf(job.fileName, job.upload.size, job.lastModified);
      this.#alike.set(key, [...(this.#alike.get(key) ?? []), job]);
    }
  }

  /** Finds the upload that is still waiting for exactly this file, in the folder if one is given. */
  find({ file, folders }: Picked, target?: UploadFolder): Job | undefined {
    if (file === undefined) return undefined;
    const alike = this.#alike.get(keyOf(file.name, file.size, file.lastModified)) ?? [];
    return alike.find(
      ({ upload, folders: whole }) =>
        upload.status === 'detached' &&
        (target === undefined ? isEndOf(folders, whole) : isIn(upload, target)),
    );
  }
}

function isIn(upload: Upload, { driveId, directoryPath }: UploadFolder): boolean {
  return upload.driveId === driveId && upload.directoryPath === directoryPath;
}

function keyOf(name: string, size: number, lastModified: number): string {
  return `${name}/${size}/${lastModified}`;
}

/** The user may choose a file alone, or with fewer of its folders, than before. */
function isEndOf(folders: readonly string[], whole: readonly string[]): boolean {
  return folders.every((folder, index) => folder === whole[whole.length - folders.length + index]);
}
