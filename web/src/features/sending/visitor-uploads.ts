import { ApiError } from '../../api/api-error.ts';
import type { Picked } from '../uploads/files/picked-files.ts';
import { delayAfter } from '../uploads/queue/back-off.ts';
import type { Watch } from '../uploads/service/upload-service.ts';

export type SentStatus = 'waiting' | 'sending' | 'delayed' | 'done' | 'failed';

/** A file that a visitor sends. Immutable: each step creates another one. */
export interface SentFile {
  readonly id: string;
  readonly name: string;
  /** Its directory below the link; undefined if the link takes no directories. */
  readonly path: string | undefined;
  readonly size: number;
  readonly sentBytes: number;
  readonly status: SentStatus;
  /** Why it failed. */
  readonly error?: unknown;
}

export interface VisitorUploadsParts {
  /** Sends one file, from where it stopped. @throws ApiError; `signal.reason` */
  readonly send: (file: File, place: SentPlace, watch: Watch) => Promise<void>;
  /** Called after files were sent and nothing else is on its way. */
  readonly onIdle: () => void;
  readonly newId: () => string;
}

/** Where a file goes, and where it comes from. */
export interface SentPlace {
  /** Its directory below the link; undefined if the link takes no directories. */
  readonly path: string | undefined;
  /** The folders from which it was chosen, joined by slashes. */
  readonly folders: string;
}

/** Why a removed file is stopped. */
export class UploadRemoved extends Error {}

/** The file has changed since it was chosen, or can no longer be read. */
export class UnreadableFile extends Error {}

/** Files on their way at the same time. */
const AT_ONCE = 3;
/** Temporary failures that the service reports are retried so often. A broken connection is retried forever. */
const MOST_TRIES = 5;

/** Another request for the same upload has not ended yet. */
const LOCKED = 423;
const NO_SPACE = 507;

interface Job {
  shown: SentFile;
  readonly file: File;
  readonly folders: string;
  tries: number;
  attempt: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The files that a visitor sends to a folder link, a few at a time, in the order in which they were chosen. */
export class VisitorUploads {
  readonly #parts: VisitorUploadsParts;
  readonly #jobs = new Map<string, Job>();
  readonly #listeners = new Set<() => void>();
  #view: readonly SentFile[] = [];

  constructor(parts: VisitorUploadsParts) {
    this.#parts = parts;
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): readonly SentFile[] => this.#view;

  /**
   * @param directory the present directory below the link; undefined if the link takes no directories
   */
  add(directory: string | undefined, picked: readonly Picked[]): void {
    for (const { file, folders } of picked) {
      // An empty folder has nothing to send.
      if (file === undefined) continue;
      const path = directory === undefined ? undefined : join(directory, folders);
      const id = this.#parts.newId();
      const shown = { id, name: file.name, path, size: file.size, sentBytes: 0, status: 'waiting' } as const;
      const job = { shown, file, folders: folders.join('/'), tries: 0 };
      this.#jobs.set(id, { ...job, attempt: undefined, timer: undefined });
    }
    this.#fill();
    this.#show();
  }

  /** Sends a failed file again. */
  retry(id: string): void {
    const job = this.#jobs.get(id);
    if (job?.shown.status !== 'failed') return;
    job.tries = 0;
    this.#wait(job);
  }

  /** Takes a file off the list. What has arrived of one that is being sent is deleted at the service. */
  remove(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    stopJob(job, new UploadRemoved('The visitor has removed the file.'));
    this.#fill();
    this.#show();
  }

  /** Sends all failed files again. */
  retryAll(): void {
    for (const { shown } of [...this.#jobs.values()]) this.retry(shown.id);
  }

  /** The connection may be back. */
  goOn(): void {
    for (const job of this.#jobs.values()) if (job.shown.status === 'delayed') this.#wait(job);
  }

  /** Stops everything, when the page of the link is left. What has arrived stays: the visitor may come back. */
  stop(): void {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    for (const job of jobs) stopJob(job, new Error('The visitor has left the page.'));
    this.#show();
  }

  #fill(): void {
    const jobs = [...this.#jobs.values()];
    let free = AT_ONCE - jobs.filter(({ shown }) => shown.status === 'sending').length;
    for (const job of jobs) {
      if (free <= 0) return;
      if (job.shown.status !== 'waiting') continue;
      free -= 1;
      void this.#run(job);
    }
  }

  async #run(job: Job): Promise<void> {
    const attempt = new AbortController();
    job.attempt = attempt;
    this.#change(job, { status: 'sending' });
    try {
      await this.#parts.send(
        job.file,
        { path: job.shown.path, folders: job.folders },
        {
          signal: attempt.signal,
          onProgress: (sentBytes) => this.#change(job, { sentBytes }),
        },
      );
      this.#change(job, { status: 'done', sentBytes: job.shown.size });
    } catch (error) {
      if (!attempt.signal.aborted) await this.#onFailure(job, error);
    }
    this.#fill();
    if (!this.#isBusy()) this.#parts.onIdle();
  }

  async #onFailure(job: Job, cause: unknown): Promise<void> {
    // A browser reports an unreadable file with the same error as a broken connection.
    const error = (await canRead(job.file)) ? cause : new UnreadableFile();
    const status = error instanceof ApiError ? error.status : undefined;
    const isCutOff = status === 0;
    job.tries += 1;
    const isTemporary =
      isCutOff ||
      status === 429 ||
      status === LOCKED ||
      (status !== undefined && status >= 500 && status !== NO_SPACE);
    if (!isTemporary || (!isCutOff && job.tries >= MOST_TRIES)) {
      this.#change(job, { status: 'failed', error });
      return;
    }
    this.#change(job, { status: 'delayed' });
    const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
    job.timer = setTimeout(() => this.#wait(job), delayAfter(job.tries, retryAfter, Math.random()));
  }

  #wait(job: Job): void {
    clearTimeout(job.timer);
    this.#change(job, { status: 'waiting' });
    this.#fill();
  }

  #isBusy(): boolean {
    return [...this.#jobs.values()].some(({ shown }) => isOnItsWay(shown));
  }

  #change(job: Job, change: Partial<SentFile>): void {
    if (this.#jobs.get(job.shown.id) !== job) return;
    job.shown = { ...job.shown, error: undefined, ...change };
    this.#show();
  }

  #show(): void {
    this.#view = [...this.#jobs.values()].map(({ shown }) => shown);
    for (const listener of this.#listeners) listener();
  }
}

function stopJob(job: Job, reason: Error): void {
  clearTimeout(job.timer);
  job.attempt?.abort(reason);
}

async function canRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Whether it goes on without the visitor. */
export function isOnItsWay({ status }: SentFile): boolean {
  return status === 'waiting' || status === 'sending' || status === 'delayed';
}

function join(directory: string, folders: readonly string[]): string {
  return [directory === '/' ? '' : directory, ...folders].join('/') || '/';
}
