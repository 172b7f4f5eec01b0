import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts';

const mutex = new KeyedMutex<string>();

/**
 * Serializes all writing transactions of this process on the same file, across connections and threads.
 * `begin immediate` waits synchronously for the file's write lock. If another connection of this process held
 * that lock, the blocked thread could never release it.
 * @param file the path that identifies the database, the same for all connections to it
 * @returns a function that releases the lock
 */
export function lockWrites(file: string): Promise<() => void> {
  return mutex.acquire(file);
}
