import { sumUp, type Totals, type Upload } from '../upload.ts';
import type { KeptJobs } from './kept-jobs.ts';
import type { Outage } from './outage.ts';
import { Speed } from './speed.ts';
import type { Job } from './upload-job.ts';
import type { UploadSlots } from './upload-slots.ts';

/** The view is made anew so often at most; a long one not as often, since all of it is gone through. */
const VIEW_MS = 120;
const LONG_VIEW_MS = 300;
const LONG = 1_000;

/** What there is to see. It is another object whenever something has changed. */
export interface UploadsView {
  readonly uploads: readonly Upload[];
  readonly totals: Totals;
  readonly bytesPerSecond: number | undefined;
  /** Whether nothing goes until the service can be reached again. */
  readonly isHeld: boolean;
  /** Whether folders are still being looked through. */
  readonly isReading: boolean;
}

export interface ViewParts {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly slots: UploadSlots;
  readonly outage: Outage;
  /** Stores what has changed whenever it is shown. */
  readonly kept: KeptJobs;
}

/** The view of the uploads as it is now, for whoever looks. */
export class LiveView {
  readonly speed = new Speed();
  readonly #parts: ViewParts;
  readonly #listeners = new Set<() => void>();
  #view: UploadsView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #viewedAt = 0;
  #readings = 0;

  constructor(parts: ViewParts) {
    this.#parts = parts;
    this.#view = this.#makeView();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  view(): UploadsView {
    return this.#view;
  }

  /** Shows that folders are looked through, until the function that it gives is called. */
  read(): () => void {
    this.#readings += 1;
    this.show();
    return () => {
      this.#readings -= 1;
      this.show();
    };
  }

  /** Soon: a thousand changes are one for whoever looks. */
  show(): void {
    if (this.#timer !== undefined) return;
    const { jobs, slots, kept } = this.#parts;
    const rest = jobs.size < LONG ? VIEW_MS : LONG_VIEW_MS;
    const wait = Math.max(0, this.#viewedAt + rest - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#viewedAt = performance.now();
      kept.store();
      this.#view = this.#makeView();
      for (const listener of this.#listeners) listener();
      // A speed that is not told anew would stand still.
      if (slots.isIdle()) this.speed.reset();
    }, wait);
  }

  #makeView(): UploadsView {
    const { jobs, outage } = this.#parts;
    const uploads = Array.from(jobs.values(), ({ upload }) => upload);
    return {
      uploads,
      totals: sumUp(uploads),
      bytesPerSecond: this.speed.at(performance.now()),
      isHeld: outage.isOn(),
      isReading: this.#readings > 0,
    };
  }
}
