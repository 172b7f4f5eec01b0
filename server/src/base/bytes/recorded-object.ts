import { Failure } from '../failure.ts';

/**
 * Waits for what a record says is there. The store calls a missing object `not-found`; where a record names it the
 * caller asked for nothing wrong and bytes are lost, which is ours to find in the log.
 *
 * @throws Error, no `Failure`, when it is missing
 */
export async function expectRecorded<T>(objectKey: string, found: Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof Failure && error.kind === 'not-found')) throw error;
    throw new Error(`The bytes of ${objectKey} are missing, and a record refers to them.`, { cause: error });
  }
}
