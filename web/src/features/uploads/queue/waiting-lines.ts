import { SMALL_BYTES } from './send-file.ts';
import type { Job } from './upload-job.ts';

/** A browser has six connections to a service, and the page needs one besides those of the uploads. */
const MOST_AT_ONCE = 5;

/**
 * Small files need a round trip each, large ones the line: a few of either at a time. However many small ones there are, one
 * large one goes beside them.
 */
const TURNS = [
  ['large', 1],
  ['small', MOST_AT_ONCE],
  ['large', 3],
] as const;

/** Those who wait for their turn, and how many are having theirs. */
export class WaitingLines {
  readonly #lines = { small: new Line(), large: new Line() };
  readonly #atOnce = { small: 0, large: 0 };

  push(job: Job): void {
    this.#lines[sizeOf(job)].push(job);
  }

  /**
   * Gives a turn to as many as there is room for. Each has it until {@link giveBack}.
   *
   * @param isMeant whether one still waits: nobody is taken out of the line before
   */
  giveTurns(isMeant: (job: Job) => boolean, start: (job: Job) => void): void {
    for (const [size, most] of TURNS) {
      while (this.#atOnce[size] < most && this.#hasRoom()) {
        const job = this.#lines[size].shift(isMeant);
        if (job === undefined) break;
        this.#atOnce[size] += 1;
        start(job);
      }
    }
  }

  giveBack(job: Job): void {
    this.#atOnce[sizeOf(job)] -= 1;
  }

  /** Whether nobody has a turn. */
  isIdle(): boolean {
    return this.#atOnce.small + this.#atOnce.large === 0;
  }

  #hasRoom(): boolean {
    return this.#atOnce.small + this.#atOnce.large < MOST_AT_ONCE;
  }
}

/** Those who wait, in their order; taking the first of ten thousand costs no more than taking the first of two. */
class Line {
  #jobs: Job[] = [];
  #first = 0;

  push(job: Job): void {
    this.#jobs.push(job);
  }

  /** The first that is still meant; those before it are let go. */
  shift(isMeant: (job: Job) => boolean): Job | undefined {
    while (this.#first < this.#jobs.length) {
      const job = this.#jobs[this.#first];
      this.#first += 1;
      if (job !== undefined && isMeant(job)) return job;
    }
    this.#jobs = [];
    this.#first = 0;
    return undefined;
  }
}

/** The size of an upload never changes, so that it gives back the turn that it has had. */
function sizeOf({ upload }: Job): 'small' | 'large' {
  return upload.size <= SMALL_BYTES ? 'small' : 'large';
}
