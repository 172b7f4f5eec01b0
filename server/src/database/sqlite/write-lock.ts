import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts';

const mutex = new KeyedMutex<string>();

/**
 * Serializes the writing transactions of all connections of this process to the same file, on whatever
 * thread. `begin immediate` waits for the file's write lock synchronously. If another connection of this
 * process held the lock, the blocked thread could never release it.
 *
 * @param file the path that identifies the database: the same for all connections to it
 * @returns what releases the lock
 */
export function lockWrites(file: string): Promise<() => void> {
  return mutex.acquire(file);
}
