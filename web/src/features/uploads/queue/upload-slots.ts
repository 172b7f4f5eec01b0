import { SMALL_BYTES } from './send-file.ts';
import type { Job } from './upload-job.ts';

/** A browser opens six connections to a service, and the page needs one besides those of the uploads. */
const MAX_RUNNING = 5;

/**
 * Who gets free slots, in this order. Small files are bound by round trips and large ones by bandwidth, so a
 * few of either run at a time. However many small ones wait, one large one runs beside them.
 */
const RULES = [
  ['large', 1],
  ['small', MAX_RUNNING],
  ['large', 3],
] as const;

/** The uploads that wait, and the slots of those that run. */
export class UploadSlots {
  readonly #waiting = { small: new JobQueue(), large: new JobQueue() };
  readonly #running = { small: 0, large: 0 };

  enqueue(job: Job): void {
    this.#waiting[sizeOf(job)].push(job);
  }

  /**
   * Starts as many waiting uploads as there are free slots. Each occupies its slot until {@link release}.
   *
   * @param isStillWaiting called when an upload is next. If it returns false, the upload is dropped from the queue.
   */
  startWaiting(isStillWaiting: (job: Job) => boolean, start: (job: Job) => void): void {
    for (const [size, max] of RULES) {
      while (this.#running[size] < max && this.#hasFreeSlot()) {
        const job = this.#waiting[size].shift(isStillWaiting);
        if (job === undefined) break;
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

/** First in, first out. Taking one costs the same, however many thousands wait. */
class JobQueue {
  #jobs: Job[] = [];
  #first = 0;

  push(job: Job): void {
    this.#jobs.push(job);
  }

  /** Removes and returns the first job that is still waiting; the ones before it are dropped. */
  shift(isStillWaiting: (job: Job) => boolean): Job | undefined {
    while (this.#first < this.#jobs.length) {
      const job = this.#jobs[this.#first];
      this.#first += 1;
      if (job !== undefined && isStillWaiting(job)) return job;
    }
    this.#jobs = [];
    this.#first = 0;
    return undefined;
  }
}

/** The size of an upload never changes, so {@link UploadSlots.release} frees the slot that it took. */
function sizeOf({ upload }: Job): 'small' | 'large' {
  return upload.size <= SMALL_BYTES ? 'small' : 'large';
}
