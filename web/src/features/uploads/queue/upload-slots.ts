import { SMALL_BYTES } from './request/send-file.ts';
import type { Job } from './upload-job.ts';

/** A browser opens six connections to a service. One is left for the other requests of the page. */
const MAX_RUNNING = 5;

/**
 * The order in which uploads get free slots. Round trips limit small files and bandwidth limits large ones,
 * so some of each run at a time. One large file always runs, however many small ones wait. Over a fast
 * connection, round trips also limit larger files: those that are sent in one request.
 */
const RULES = [
  { size: 'large', max: 1 },
  { size: 'small', max: MAX_RUNNING },
  { size: 'large', max: 3 },
  { size: 'large', max: MAX_RUNNING, inOneRequest: true },
] as const;

interface StartOptions {
  /** Called when an upload is next. If it returns false, the upload is dropped from the queue. */
  readonly isStillWaiting: (job: Job) => boolean;
  readonly start: (job: Job) => void;
  /** Files up to this size are sent in one request. */
  readonly maxRequestBytes: number;
}

/** The waiting uploads, and the slots of the running ones. */
export class UploadSlots {
  readonly #waiting = { small: new JobQueue(), large: new JobQueue() };
  readonly #running = { small: 0, large: 0 };

  enqueue(job: Job): void {
    this.#waiting[sizeOf(job)].push(job);
  }

  /** Starts as many waiting uploads as there are free slots. Each occupies its slot until {@link release}. */
  startWaiting({ isStillWaiting, start, maxRequestBytes }: StartOptions): void {
    for (const { size, max, ...rule } of RULES) {
      const maxBytes = 'inOneRequest' in rule ? maxRequestBytes : Number.POSITIVE_INFINITY;
      while (this.#running[size] < max && this.#hasFreeSlot()) {
        const job = this.#waiting[size].first(isStillWaiting);
        if (job === undefined || job.upload.size > maxBytes) break;
        this.#waiting[size].shift();
        this.#running[size] += 1;
        start(job);
      }
    }
  }

  release(job: Job): void {
    this.#running[sizeOf(job)] -= 1;
  }

  /** Whether no upload runs. */
  isIdle(): boolean {
    return this.#running.small + this.#running.large === 0;
  }

  #hasFreeSlot(): boolean {
    return this.#running.small + this.#running.large < MAX_RUNNING;
  }
}

/** First in, first out. Taking a job takes constant time, even if thousands wait. */
class JobQueue {
  #jobs: Job[] = [];
  #first = 0;

  push(job: Job): void {
    this.#jobs.push(job);
  }

  /** The first job that is still waiting. Drops the jobs before it. */
  first(isStillWaiting: (job: Job) => boolean): Job | undefined {
    for (; this.#first < this.#jobs.length; this.#first += 1) {
      const job = this.#jobs[this.#first];
      if (job !== undefined && isStillWaiting(job)) return job;
    }
    this.#jobs = [];
    this.#first = 0;
    return undefined;
  }

  /** Removes the first job. */
  shift(): void {
    this.#first += 1;
  }
}

/** The size of an upload never changes, so {@link UploadSlots.release} frees the same kind of slot. */
function sizeOf({ upload }: Job): 'small' | 'large' {
  return upload.size <= SMALL_BYTES ? 'small' : 'large';
}
