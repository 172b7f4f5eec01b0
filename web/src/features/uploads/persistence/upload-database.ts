import { SerialQueue } from '../../../../../client/src/common/serial-queue.ts';
import type { Root } from '../files/picked-files.ts';
import type { SavedUpload } from './saved-upload.ts';

/** A stored upload, with its user and the tab that works on it. */
export interface SavedUploadRecord extends SavedUpload {
  readonly userId: number;
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const NAME = 'holdall-uploads';
/** The number of uploads per write. Small batches let other reads and writes in between. */
const BATCH = 200;

/** Stores uploads, and handles of their files, in IndexedDB. Not every browser allows it. */
export class UploadDatabase {
  #opening: Promise<IDBDatabase | undefined> | undefined;
  /** Writes keep their order, so the last one wins. */
  readonly #writes = new SerialQueue();

  put(uploads: readonly SavedUploadRecord[]): void {
    for (let at = 0; at < uploads.length; at += BATCH) {
      const some = uploads.slice(at, at + BATCH);
      this.#write('uploads', (store) => {
        for (const upload of some) store.put(upload);
      });
    }
  }

  putRoot(root: Root): void {
    this.#write('roots', (store) => void store.put(root));
  }

  remove(ids: readonly string[]): void {
    this.#write('uploads', (store) => {
      for (const id of ids) store.delete(id);
    });
  }

  removeRoots(ids: readonly string[]): void {
    this.#write('roots', (store) => {
      for (const id of ids) store.delete(id);
    });
  }

  async listUploads(): Promise<readonly SavedUploadRecord[]> {
    // Only this class writes these records.
    return (await this.#readAll('uploads')) as SavedUploadRecord[];
  }

  async listRoots(): Promise<readonly Root[]> {
    // Only this class writes these records.
    return (await this.#readAll('roots')) as Root[];
  }

  /** Resolves when all earlier writes have ended. */
  async settled(): Promise<void> {
    await this.#writes.settled();
  }

  #write(name: 'uploads' | 'roots', change: (store: IDBObjectStore) => void): void {
    void this.#writes.run(async () => {
      const database = await this.#open();
      if (database === undefined) return;
      const transaction = database.transaction(name, 'readwrite', { durability: 'relaxed' });
      const { promise, resolve } = Promise.withResolvers<void>();
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => resolve();
      change(transaction.objectStore(name));
      await promise;
    });
  }

  async #readAll(name: 'uploads' | 'roots'): Promise<unknown[]> {
    await this.#writes.settled();
    const database = await this.#open();
    if (database === undefined) return [];
    const request = database.transaction(name).objectStore(name).getAll();
    const { promise, resolve } = Promise.withResolvers<unknown[]>();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve([]);
    return promise;
  }

  #open(): Promise<IDBDatabase | undefined> {
    this.#opening ??= new Promise((resolve) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('uploads', { keyPath: 'id' });
        request.result.createObjectStore('roots', { keyPath: 'id' });
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    });
    return this.#opening;
  }
}
