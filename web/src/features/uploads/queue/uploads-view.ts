import { ALL_READABLE, type Unreadable, withUnreadable } from '../files/unreadable.ts';
import { sumUp, type Totals, type Upload } from '../upload.ts';
import type { JobStore } from './job-store.ts';
import type { Outage } from './timing/outage.ts';
import { Speed } from './timing/speed.ts';
import type { Job } from './upload-job.ts';
import type { UploadSlots } from './upload-slots.ts';

/**
 * The minimum interval between two views. It is longer for long lists, because each view goes through the
 * whole list.
 */
const VIEW_MS = 200;
const LONG_VIEW_MS = 400;
const LONG = 1_000;

/** The state to show: a new object whenever something has changed. */
export interface UploadsView {
  /** Excludes the uploads that the user has postponed. */
  readonly uploads: readonly Upload[];
  readonly postponedCount: number;
  readonly totals: Totals;
  readonly bytesPerSecond: number | undefined;
  /** Whether all uploads wait until the service is reachable again. */
  readonly isServiceUnreachable: boolean;
  /** Whether folders are still being walked. */
  readonly isReading: boolean;
  /** The files and folders in the walked folders that cannot be read. */
  readonly unreadable: Unreadable;
}

interface ViewParts {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly slots: UploadSlots;
  readonly outage: Outage;
  /** Its changes are written whenever they are shown. */
  readonly jobStore: JobStore;
}

/** The current view of the uploads, with subscribers. */
export class LiveView {
  readonly speed = new Speed();
  readonly #parts: ViewParts;
  readonly #listeners = new Set<() => void>();
  #view: UploadsView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #viewedAt = 0;
  #readings = 0;
  #unreadable = ALL_READABLE;

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

  /** Shows that folders are being walked, until the returned function is called. */
  beginReading(): () => void {
    if (this.#readings === 0) this.clearUnreadable();
    this.#readings += 1;
    this.show();
    return () => {
      this.#readings -= 1;
      this.show();
    };
  }

  noteUnreadable(path: string): void {
    this.#unreadable = withUnreadable(this.#unreadable, path);
    this.show();
  }

  /** Clears the speed and the unreadable files when all uploads have ended. */
  reset(): void {
    this.speed.reset();
    if (this.#readings === 0) this.clearUnreadable();
  }

  clearUnreadable(): void {
    if (this.#unreadable === ALL_READABLE) return;
    this.#unreadable = ALL_READABLE;
    this.show();
  }

  /** Schedules a new view. Deferred, so a thousand changes result in one view. */
  show(): void {
    if (this.#timer !== undefined) return;
    const { jobs, slots, jobStore } = this.#parts;
    const rest = jobs.size < LONG ? VIEW_MS : LONG_VIEW_MS;
    const wait = Math.max(0, this.#viewedAt + rest - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#viewedAt = performance.now();
      jobStore.flush();
      this.#view = this.#makeView();
      for (const listener of this.#listeners) listener();
      // Without a new view, an outdated speed would stay visible.
      if (slots.isIdle()) this.speed.reset();
    }, wait);
  }

  #makeView(): UploadsView {
    const { jobs, outage } = this.#parts;
    const all = Array.from(jobs.values(), ({ upload }) => upload);
    const uploads = all.filter(({ isPostponed }) => isPostponed !== true);
    return {
      uploads,
      postponedCount: all.length - uploads.length,
      totals: sumUp(uploads),
      bytesPerSecond: this.speed.at(performance.now()),
      isServiceUnreachable: outage.isOn(),
      isReading: this.#readings > 0,
      unreadable: this.#unreadable,
    };
  }
}
