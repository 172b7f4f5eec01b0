// Keeps a pair in sync until stopped, by following the events of the disk and of the drive.
import { HoldallError, NotFoundError } from '../../../client/src/client.ts';
import { LocalWatch } from './local/watch-local.ts';
import type { PairSync } from './round/pair-sync.ts';
import type { SyncParts } from './round/round.ts';
import { MassDeletion } from './rules/mass-deletion.ts';

/** The pause after the last of several quick changes, such as the writes to a file. */
const QUIET_MS = 100;
/** The longest wait after the first change, if the changes don't stop. */
const MAX_DELAY_MS = 500;

/** The whole disk is compared at this interval, because events of a disk may get lost. */
const FULL_SCAN_MS = 15 * 60_000;
/** The interval of scans if the disk cannot be watched. */
const SCAN_WITHOUT_WATCH_MS = 60_000;

const MAX_RETRY_MS = 60_000;

/** Above this number of changed paths, a full scan is faster. */
const MAX_PATHS = 2_000;

export class PairWatch {
  readonly #parts: SyncParts;
  readonly #pair: PairSync;
  readonly #waker = new Waker();
  readonly #paths = new Set<string>();
  #needsFullSync = false;
  #canWatch = true;

  constructor(parts: SyncParts, pair: PairSync) {
    this.#parts = parts;
    this.#pair = pair;
  }

  /** @param onSynced called each time that everything known is synced @throws the reason of the signal */
  async run(onSynced?: () => void): Promise<never> {
    const { local, drive, signal, report } = this.#parts;
    const watch = new LocalWatch({
      local,
      onChange: (path) => this.#note(path),
      onFault: (error) => {
        this.#canWatch = false;
        report.note(
          `Not every directory can be watched (${error instanceof Error ? error.message : error}). ` +
            'They are compared once a minute instead.',
        );
      },
    });
    const ending = new AbortController();
    const untilEnd = AbortSignal.any([signal, ending.signal]);
    const following = [this.#followDrive(untilEnd)];
    if (drive !== undefined) following.push(drive.watchRole(() => this.#waker.wake(), untilEnd));
    // The signal is checked only between two syncs.
    for (const each of following) each.catch(() => undefined);
    try {
      // The watches begin before the scan, so that no change between the two is missed.
      watch.update();
      this.#needsFullSync = true;
      for (let failures = 0; ; ) {
        const isDone = await this.#sync(failures);
        failures = isDone ? 0 : failures + 1;
        watch.update();
        if (isDone && !this.#hasNews) onSynced?.();
        const retryMs = Math.min(MAX_RETRY_MS, 500 * 2 ** failures);
        const scanMs = this.#canWatch ? FULL_SCAN_MS : SCAN_WITHOUT_WATCH_MS;
        const isEvent = await Promise.race([
          this.#waker.wait(failures > 0 ? retryMs : scanMs, signal),
          ...following,
        ]);
        if (!isEvent) this.#needsFullSync = true;
      }
    } finally {
      watch.close();
      // An open stream would keep the process alive.
      ending.abort();
    }
  }

  get #hasNews(): boolean {
    return this.#needsFullSync || this.#paths.size > 0;
  }

  #note(path: string): void {
    if (path === '' || this.#paths.size >= MAX_PATHS) this.#needsFullSync = true;
    else this.#paths.add(path);
    this.#waker.wake();
  }

  /** Returns false if the service cannot be reached, so that it is tried again later. */
  async #sync(failures: number): Promise<boolean> {
    const { report, signal } = this.#parts;
    const paths = new Set(this.#paths);
    const isFull = this.#needsFullSync;
    this.#paths.clear();
    this.#needsFullSync = false;
    try {
      if (isFull) await this.#pair.syncAll();
      else await this.#pair.syncChanges(paths);
      this.#needsFullSync ||= this.#pair.mustRetry;
      return !this.#pair.mustRetry;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MassDeletion || !(error instanceof HoldallError) || !error.isPassing) throw error;
      this.#needsFullSync = true;
      if (failures === 0) report.note(`${error.message} It is tried again.`);
      return false;
    }
  }

  /** The stream only announces changes; they are read after the cursor of the state. */
  async #followDrive(signal: AbortSignal): Promise<never> {
    const { holdall, drive } = this.#parts;
    try {
      for await (const { kind } of holdall.events.watch({ signal })) {
        // `ready` counts as a change, because the drive may have changed before the stream was opened.
        if (kind === 'resync') this.#needsFullSync = true;
        this.#waker.wake();
      }
    } catch (error) {
      if (error instanceof NotFoundError) await drive?.refresh();
      throw error;
    }
    throw new Error('The events of the drive have ended.');
  }
}

/** Waits until no further change follows. */
class Waker {
  #onWake: (() => void) | undefined;
  #firstMs: number | undefined;

  wake(): void {
    this.#firstMs ??= performance.now();
    this.#onWake?.();
  }

  /** True after an event, false after the timeout. @throws the reason of the signal */
  wait(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout>;
      const end = (isEvent: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.#onWake = undefined;
        this.#firstMs = undefined;
        resolve(isEvent);
      };
      const stop = () => {
        clearTimeout(timer);
        this.#onWake = undefined;
        reject(signal.reason);
      };
      const onWake = () => {
        clearTimeout(timer);
        const waitedMs = performance.now() - (this.#firstMs ?? performance.now());
        timer = setTimeout(() => end(true), Math.min(QUIET_MS, Math.max(0, MAX_DELAY_MS - waitedMs)));
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      this.#onWake = onWake;
      timer = setTimeout(() => end(false), timeoutMs);
      if (this.#firstMs !== undefined) onWake();
    });
  }
}
