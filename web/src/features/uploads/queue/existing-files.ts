import type { EntryRecord } from '../../../../../client/src/generated/records.ts';
import { driveKey } from '../../../api/in-drive.ts';
import { isPassing } from '../../../api/is-passing.ts';
import { MAX_NAME_LENGTH, toNormalForm } from '../../../common/names/normal-form.ts';
import type { Comparison, UploadService } from '../service/upload-service.ts';
import type { JobSteps } from './job-steps.ts';
import type { Job } from './upload-job.ts';

/** A directory is listed again after this time, because others may have changed it. */
const LISTED_MS = 60_000;
const LIST_TIMEOUT_MS = 30_000;
const MAX_LISTINGS = 100;

interface Listing {
  readonly at: number;
  readonly entries: Promise<ReadonlyMap<string, EntryRecord> | undefined>;
}

/** Finds the files that are in their folders already, so nothing is sent twice. */
export class ExistingFiles {
  readonly #service: UploadService;
  readonly #steps: JobSteps;
  /** By drive and directory. */
  readonly #listings = new Map<string, Listing>();

  constructor({ service, steps }: { readonly service: UploadService; readonly steps: JobSteps }) {
    this.#service = service;
    this.#steps = steps;
  }

  /**
   * Looks for the name of an upload before anything is sent. The listing may be outdated, so `free` and
   * `taken` are only assumptions.
   */
  async look(
    job: Job,
    file: File,
    signal: AbortSignal,
  ): Promise<'free' | 'taken' | 'different' | 'identical'> {
    const entries = await this.#list(job);
    signal.throwIfAborted();
    const entry = entries?.get(toNormalForm(job.upload.name, MAX_NAME_LENGTH));
    if (entry === undefined) return 'free';
    if (!canBeSame(entry, file)) return 'taken';
    const comparison = await this.#compare(entry, { job, file, signal });
    if (comparison === 'gone') return 'free';
    return comparison === 'same' ? 'identical' : 'different';
  }

  /** Whether the folder has the file with the same bytes. Asks the service for the current entry. */
  async isThere(job: Job, signal: AbortSignal): Promise<boolean> {
    const file = await job.open?.();
    if (file === undefined) return false;
    const entry = await this.#service.inDrive(job.upload.driveId).findEntry(job.upload, signal);
    return entry !== undefined && (await this.#compare(entry, { job, file, signal })) === 'same';
  }

  /** Forgets what directories contain. */
  reset(): void {
    this.#listings.clear();
  }

  async #compare(
    entry: EntryRecord,
    { job, file, signal }: { readonly job: Job; readonly file: File; readonly signal: AbortSignal },
  ): Promise<Comparison> {
    this.#steps.change(job, { existing: entry });
    if (!canBeSame(entry, file)) return 'different';
    const onProgress = (comparedBytes: number) => {
      if (!signal.aborted) this.#steps.change(job, { comparedBytes });
    };
    try {
      return await this.#service.inDrive(job.upload.driveId).compare(entry, file, { signal, onProgress });
    } finally {
      this.#steps.change(job, { comparedBytes: undefined });
    }
  }

  /** The uploads into a directory share its listing, so none of them may abort it. */
  #list({ upload }: Job): Listing['entries'] {
    const { driveId, directoryPath } = upload;
    const key = `${driveKey(driveId)}:${directoryPath}`;
    const known = this.#listings.get(key);
    const now = performance.now();
    if (known !== undefined && now - known.at < LISTED_MS) return known.entries;
    const entries = this.#service
      .inDrive(driveId)
      .listDirectory(directoryPath, AbortSignal.timeout(LIST_TIMEOUT_MS))
      .catch((error: unknown) => {
        this.#listings.delete(key);
        if (isPassing(error)) throw error;
        // The upload itself reports what is wrong with its folder.
        return undefined;
      });
    const [oldest] = this.#listings.keys();
    if (this.#listings.size >= MAX_LISTINGS && oldest !== undefined) this.#listings.delete(oldest);
    this.#listings.set(key, { at: now, entries });
    return entries;
  }
}

function canBeSame(entry: EntryRecord, file: File): boolean {
  return !entry.directory && entry.size === file.size;
}
