import { childOf } from '../../../common/names/drive-paths.ts';
import { type ConflictDecisions, Skipped } from '../../entries/conflicts/conflict-decisions.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { Speedometer } from '../session/state/speedometer.ts';
import type { ImportSource } from './import-sources.ts';

type ImportStatus = 'waiting' | 'running' | 'done' | 'skipped' | 'failed';

export interface ImportedFile {
  readonly path: string;
  readonly size: number;
  readonly status: ImportStatus;
  /** Why it failed. */
  readonly error?: unknown;
}

/** The state of an import that the page shows. */
export interface ImportState {
  readonly files: readonly ImportedFile[];
  /** The imported bytes of each file. */
  readonly done: readonly number[];
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number | undefined;
  readonly count: Readonly<Record<ImportStatus, number>>;
  readonly isRunning: boolean;
}

/** The interval at which a page shows the progress. */
const SHOW_MS = 200;

interface ImportParts {
  readonly sources: readonly ImportSource[];
  /** The directory that takes the files and their folders. */
  readonly target: DirectoryPlace;
  /** Called when the import has ended or was cancelled. Some of the files may be in the drive. */
  readonly onEnd: (state: ImportState) => void;
  readonly decisions: ConflictDecisions;
}

/**
 * Imports files into the drive, one after another. A failed file does not stop the others, and can be
 * retried. If a name is taken, the user decides. The import continues while the user navigates within the
 * client.
 */
export class DriveImport {
  readonly target: DirectoryPlace;
  readonly #sources: readonly ImportSource[];
  readonly #onEnd: (state: ImportState) => void;
  readonly #decisions: ConflictDecisions;
  readonly #speed = new Speedometer();
  readonly #listeners = new Set<() => void>();
  readonly #parts: number[];
  #files: readonly ImportedFile[];
  #stop: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: ImportState;

  constructor({ sources, target, onEnd, decisions }: ImportParts) {
    this.target = target;
    this.#sources = sources;
    this.#onEnd = onEnd;
    this.#decisions = decisions;
    this.#parts = sources.map(() => 0);
    this.#files = sources.map(({ path, size }) => ({ path: path.join('/'), size, status: 'waiting' }));
    this.#state = this.#makeState();
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ImportState => this.#state;

  /** Imports the files that are not in the drive yet, also after failures. Does not throw. */
  async start(): Promise<void> {
    if (this.#stop !== undefined) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#speed.reset();
    for (const [index, { status }] of this.#files.entries()) {
      if (status === 'failed') this.#change(index, 'waiting');
    }
    for (const [index, source] of this.#sources.entries()) {
      if (signal.aborted) break;
      if (this.#files[index]?.status === 'waiting') await this.#importFile(source, index, signal);
    }
    this.#stop = undefined;
    this.#show();
    this.#onEnd(this.#state);
  }

  /** Stops after the current step. Imported files stay in the drive. */
  cancel(): void {
    this.#stop?.abort(new DOMException('The user has cancelled the import.', 'AbortError'));
  }

  async #importFile(source: ImportSource, index: number, signal: AbortSignal): Promise<void> {
    const { path, size, preparation } = source;
    this.#change(index, 'running');
    try {
      const put = await source.prepare({
        signal,
        onPart: (part) => this.#progress(index, part * preparation),
      });
      const { drive, directory: root } = this.target;
      const directory = path.slice(0, -1).reduce(childOf, root);
      const name = path.at(-1) ?? '';
      const onPart = (part: number) => this.#progress(index, preparation + part * (1 - preparation));
      const conflict = { name, drive, directory, isDirectory: false, size };
      await this.#decisions.run(conflict, async (onConflict) => {
        signal.throwIfAborted();
        await put({ drive, directory, name, onConflict }, { signal, onPart });
      });
      this.#parts[index] = 1;
      this.#change(index, 'done');
    } catch (error) {
      this.#parts[index] = 0;
      if (error instanceof Skipped) this.#change(index, 'skipped');
      else if (signal.aborted) this.#change(index, 'waiting');
      else this.#change(index, 'failed', error);
    } finally {
      await source.release().catch(() => undefined);
    }
  }

  #progress(index: number, part: number): void {
    this.#parts[index] = part;
    this.#timer ??= setTimeout(() => this.#show(), SHOW_MS);
  }

  #change(index: number, status: ImportStatus, error?: unknown): void {
    this.#files = this.#files.map((file, at) => {
      if (at !== index) return file;
      const { path, size } = file;
      return error === undefined ? { path, size, status } : { path, size, status, error };
    });
    this.#show();
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#state = this.#makeState();
    for (const listener of this.#listeners) listener();
  }

  #makeState(): ImportState {
    const count = { waiting: 0, running: 0, done: 0, skipped: 0, failed: 0 };
    for (const { status } of this.#files) count[status] += 1;
    const done = this.#files.map(({ size }, index) => Math.round(size * (this.#parts[index] ?? 0)));
    const doneBytes = done.reduce((sum, bytes) => sum + bytes, 0);
    this.#speed.addSample(doneBytes, performance.now());
    return {
      files: this.#files,
      done,
      doneBytes,
      totalBytes: this.#files.reduce((sum, { size }) => sum + size, 0),
      bytesPerSecond: this.#speed.bytesPerSecond(),
      count,
      isRunning: this.#stop !== undefined,
    };
  }
}
