import { HoldallError } from '../../../../client/src/errors/errors.ts';
import type { Picked } from '../uploads/files/picked-files.ts';
import { ALL_READABLE, type Unreadable, withUnreadable } from '../uploads/files/unreadable.ts';
import { delayAfter } from '../uploads/queue/timing/back-off.ts';
import type { Watch } from '../uploads/service/upload-service.ts';

type SentStatus = 'waiting' | 'sending' | 'delayed' | 'done' | 'failed';

/** A file that a visitor sends. Immutable: each step creates a new object. */
export interface SentFile {
  readonly id: string;
  readonly name: string;
  /** Its directory below the link; undefined if the link takes no directories. */
  readonly path: string | undefined;
  readonly size: number;
  readonly sentBytes: number;
  readonly status: SentStatus;
  /** Why it failed or has to wait. */
  readonly error?: unknown;
}

interface VisitorUploadsParts {
  /** Sends one file, resuming where it stopped. @throws HoldallError; `signal.reason` */
  readonly send: (file: File, place: SentPlace, watch: Watch) => Promise<void>;
  /** Called when files were sent and no others are waiting or being sent. */
  readonly onIdle: () => void;
  readonly newId: () => string;
  /** Runs the function a little later. It then shows all changes up to that time. */
  readonly showLater: (show: () => void) => void;
}

/** The state to show: a new object whenever something has changed. */
export interface SentView {
  /** Failed files first, then the active ones, then the completed ones. */
  readonly files: readonly SentFile[];
  readonly count: Readonly<Record<SentStatus, number>>;
  /** Whether any file continues without the visitor. */
  readonly isBusy: boolean;
  /** The files and folders in dropped folders that cannot be read. */
  readonly unreadable: Unreadable;
}

/** The target of a file, and the folders from which it was chosen. */
interface SentPlace {
  /** Its directory below the link; undefined if the link takes no directories. */
  readonly path: string | undefined;
  /** The folders from which it was chosen, joined by slashes. */
  readonly folders: string;
}

/** The reason to stop a file that the visitor has removed. */
export class UploadRemoved extends Error {}

/** The visitor must enter the password of the link, perhaps a changed one, before the link takes the file. */
export class PasswordMissing extends Error {}

/** The file has changed since it was chosen, or can no longer be read. */
export class UnreadableFile extends Error {}

/** The number of files that are sent at the same time. */
const MAX_CONCURRENT = 3;
/**
 * How often a temporary failure that the service reports is retried. After a broken connection, or if the
 * service asks to wait, the upload is retried forever.
 */
const MAX_TRIES = 5;

/**
 * The service accepts no more for now, for example because other visitors' uploads have reserved all that the
 * link still accepts.
 */
const TOO_MANY = 429;
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

/**
 * The files that a visitor sends to a folder link, a few at a time, in the order in which they were chosen.
 */
export class VisitorUploads {
  readonly #parts: VisitorUploadsParts;
  readonly #jobs = new Map<string, Job>();
  /** The jobs in each state, so that finding the next one of ten thousand needs no search. */
  readonly #waiting = new Set<Job>();
  readonly #delayed = new Set<Job>();
  readonly #sending = new Set<Job>();
  readonly #listeners = new Set<() => void>();
  #unreadable = ALL_READABLE;
  #isShowing = false;
  #view: SentView;

  constructor(parts: VisitorUploadsParts) {
    this.#parts = parts;
    this.#view = this.#makeView();
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): SentView => this.#view;

  /**
   * @param directory the current directory below the link; undefined if the link takes no directories
   */
  add(directory: string | undefined, picked: readonly Picked[]): void {
    for (const { file, folders } of picked) {
      // An empty folder has nothing to send.
      if (file === undefined) continue;
      const path = directory === undefined ? undefined : join(directory, folders);
      const id = this.#parts.newId();
      const shown = { id, name: file.name, path, size: file.size, sentBytes: 0, status: 'waiting' } as const;
      const rest = { file, folders: folders.join('/'), tries: 0, attempt: undefined, timer: undefined };
      const job: Job = { shown, ...rest };
      this.#jobs.set(id, job);
      this.#waiting.add(job);
    }
    this.#fill();
    this.#show();
  }

  /** Shows that a dropped file or folder could not be read. @param path starts with the dropped folder */
  noteUnreadable(path: string): void {
    this.#unreadable = withUnreadable(this.#unreadable, path);
    this.#show();
  }

  /** Retries a failed file, or one that waits until the link has room. */
  retry(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined || !(job.shown.status === 'failed' || waitsForRoom(job.shown))) return;
    job.tries = 0;
    this.#wait(job);
  }

  /** Removes a file from the list. If it is being sent, the service deletes the part that has arrived. */
  remove(id: string): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    this.#sort(job, undefined);
    stopJob(job, new UploadRemoved('The visitor has removed the file.'));
    this.#fill();
    this.#show();
  }

  /** Retries all failed files. */
  retryAll(): void {
    for (const { shown } of [...this.#jobs.values()]) this.retry(shown.id);
  }

  /** Retries the files that wait, because the connection or the password may be available now. */
  resumeDelayed(): void {
    for (const job of [...this.#delayed]) this.#wait(job);
  }

  /**
   * Stops all uploads when the visitor leaves the page of the link. The service keeps the received bytes,
   * because the visitor may come back.
   */
  stop(): void {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    for (const job of jobs) this.#sort(job, undefined);
    for (const job of jobs) stopJob(job, new Error('The visitor has left the page.'));
    this.#show();
  }

  #fill(): void {
    for (const job of this.#waiting) {
      // Files that wait for the connection keep their slots. Otherwise all other files would fail as well.
      if (this.#sending.size + this.#delayed.size >= MAX_CONCURRENT) return;
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
    // This file has freed its share of the link's room, or the link is full. A retry shows which.
    if (!this.#delayed.has(job)) this.#retryHeldBack();
    this.#fill();
    if (!this.#isBusy()) this.#parts.onIdle();
  }

  #retryHeldBack(): void {
    for (const job of [...this.#delayed]) if (waitsForRoom(job.shown)) this.#wait(job);
  }

  async #onFailure(job: Job, cause: unknown): Promise<void> {
    // Browsers report an unreadable file with the same error as a broken connection.
    const error = (await canRead(job.file)) ? cause : new UnreadableFile();
    const status = error instanceof HoldallError ? error.status : undefined;
    // In all three cases, the problem is not the file itself.
    const isAlwaysRetried = status === 0 || status === TOO_MANY || error instanceof PasswordMissing;
    job.tries += 1;
    const isTemporary =
      isAlwaysRetried || status === LOCKED || (status !== undefined && status >= 500 && status !== NO_SPACE);
    if (!isTemporary || (!isAlwaysRetried && job.tries >= MAX_TRIES)) {
      this.#change(job, { status: 'failed', error });
      return;
    }
    this.#change(job, { status: 'delayed', error });
    const retryAfter = error instanceof HoldallError ? error.retryAfterSeconds : undefined;
    job.timer = setTimeout(() => this.#wait(job), delayAfter(job.tries, retryAfter, Math.random()));
  }

  #wait(job: Job): void {
    clearTimeout(job.timer);
    this.#change(job, { status: 'waiting' });
    this.#fill();
  }

  #isBusy(): boolean {
    return this.#waiting.size + this.#delayed.size + this.#sending.size > 0;
  }

  #change(job: Job, change: Partial<SentFile>): void {
    if (this.#jobs.get(job.shown.id) !== job) return;
    job.shown = { ...job.shown, error: undefined, ...change };
    this.#sort(job, job.shown.status);
    this.#show();
  }

  /** @param status undefined for a removed job */
  #sort(job: Job, status: SentStatus | undefined): void {
    for (const [set, its] of [
      [this.#waiting, 'waiting'],
      [this.#delayed, 'delayed'],
      [this.#sending, 'sending'],
    ] as const) {
      if (status !== its) set.delete(job);
      // A job that is already in the set keeps its place in the order.
      else set.add(job);
    }
  }

  #show(): void {
    if (this.#isShowing) return;
    this.#isShowing = true;
    this.#parts.showLater(() => {
      this.#isShowing = false;
      this.#view = this.#makeView();
      for (const listener of this.#listeners) listener();
    });
  }

  #makeView(): SentView {
    const count = { waiting: 0, sending: 0, delayed: 0, done: 0, failed: 0 };
    const [failed, going, done]: [SentFile[], SentFile[], SentFile[]] = [[], [], []];
    for (const { shown } of this.#jobs.values()) {
      count[shown.status] += 1;
      (isOnItsWay(shown) ? going : shown.status === 'failed' ? failed : done).push(shown);
    }
    return {
      files: [...failed, ...going, ...done],
      count,
      isBusy: going.length > 0,
      unreadable: this.#unreadable,
    };
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

/** Whether the file waits because the link has no room for it while other uploads are running. */
export function waitsForRoom({ status, error }: SentFile): boolean {
  return status === 'delayed' && error instanceof HoldallError && error.status === TOO_MANY;
}

/** Whether the upload continues without the visitor. */
export function isOnItsWay({ status }: SentFile): boolean {
  return status === 'waiting' || status === 'sending' || status === 'delayed';
}

function join(directory: string, folders: readonly string[]): string {
  return [directory === '/' ? '' : directory, ...folders].join('/') || '/';
}
