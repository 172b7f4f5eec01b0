import { saveFile, startEach } from '../../../common/downloads.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { type HiddenPlace, NoPlace } from '../saving/save-place.ts';
import type { Receiving } from '../session/receiving.ts';
import { stayAwake } from '../session/stay-awake.ts';

/** The state of a `SaveTask` that the page shows. */
interface SaveState {
  readonly isSaving: boolean;
  /** How much of the archive is packed, from 0 to 1. */
  readonly packedPart: number;
  /** Whether the files were handed to the browser for saving. */
  readonly isSaved: boolean;
  /** The name of the last saved archive. */
  readonly archiveName: string | undefined;
  /** Whether there was not enough space for an archive. */
  readonly hasNoPlace: boolean;
}

const tasks = new WeakMap<HiddenPlace, SaveTask>();

/** Returns the same task each time, so it continues while the user navigates within the client. */
export function saveTaskOf(place: HiddenPlace, receiving: Receiving): SaveTask {
  const task = tasks.get(place) ?? new SaveTask(place, receiving);
  tasks.set(place, task);
  return task;
}

/** Saves received files from a place inside the browser: a single file directly, several as one archive. */
export class SaveTask {
  readonly #place: HiddenPlace;
  readonly #paths: readonly (readonly string[])[];
  readonly #totalBytes: number;
  readonly #listeners = new Set<() => void>();
  /** Made only once, because the files do not change. */
  #archive: File | undefined;
  #hasStarted = false;
  #state: SaveState = {
    ...{ isSaving: false, packedPart: 0, isSaved: false, archiveName: undefined, hasNoPlace: false },
  };

  constructor(place: HiddenPlace, { paths, store }: Receiving) {
    this.#place = place;
    this.#paths = paths;
    this.#totalBytes = store.snapshot().totalBytes;
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): SaveState => this.#state;

  /** Saves the files, unless that was tried before. */
  startOnce(): void {
    if (!this.#hasStarted) void this.save();
  }

  async save(): Promise<void> {
    if (this.#state.isSaving) return;
    this.#hasStarted = true;
    this.#change({ isSaving: true, hasNoPlace: false });
    const allowSleep = stayAwake();
    try {
      const isOne = this.#paths.length === 1;
      const file = isOne ? await this.#place.find(0) : await this.#findArchive();
      if (file !== undefined) void saveFile(file, file.name);
      this.#change({ isSaved: true, archiveName: isOne ? undefined : file?.name });
    } catch (error) {
      if (error instanceof NoPlace) this.#change({ hasNoPlace: true });
      else notifyError(error);
    } finally {
      allowSleep();
      this.#change({ isSaving: false });
    }
  }

  /** Saves each file on its own instead of an archive. */
  async saveEach(): Promise<void> {
    const downloads = this.#paths.map((_, index) => async () => {
      const file = await this.#place.find(index);
      if (file !== undefined) void saveFile(file, file.name);
    });
    try {
      await startEach(downloads);
      this.#change({ isSaved: true });
    } catch (error) {
      notifyError(error);
    }
  }

  async #findArchive(): Promise<File> {
    this.#archive ??= await this.#pack();
    return this.#archive;
  }

  /** @throws NoPlace */
  async #pack(): Promise<File> {
    this.#change({ packedPart: 0 });
    const { packFiles, toArchiveName } = await import('../saving/pack-files.ts');
    const archive = await this.#place.openArchive(this.#totalBytes);
    const files = { paths: this.#paths, find: this.#place.find };
    try {
      await packFiles(files, archive.target, (bytes) => this.#showPacked(bytes));
    } catch (error) {
      await archive.abandon();
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
      throw isFull ? new NoPlace('The browser gives no room for the archive.', { cause: error }) : error;
    }
    return await archive.finish(toArchiveName(this.#paths));
  }

  /** Rounds to whole percents, which limits how often the page renders. */
  #showPacked(bytes: number): void {
    const packedPart = this.#totalBytes === 0 ? 1 : Math.floor((bytes * 100) / this.#totalBytes) / 100;
    if (packedPart !== this.#state.packedPart) this.#change({ packedPart });
  }

  #change(change: Partial<SaveState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
