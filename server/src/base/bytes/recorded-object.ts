import { isNotFound } from '../failure.ts';

/**
 * Waits for an object that a record refers to. The store reports a missing object as `not-found`. But if a
 * record refers to it, the caller did nothing wrong: bytes are lost, which has to appear in the log as a
 * fault of the server.
 *
 * @throws Error (not a `Failure`) when the object is missing
 */
export async function expectRecorded<T>(objectKey: string, found: Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error(`The bytes of ${objectKey} are missing, although a record refers to them.`, {
      cause: error,
    });
  }
}

/** Whether an error of {@link expectRecorded} means that the object is missing. */
export function isMissingRecorded(error: unknown): boolean {
  return error instanceof Error && isNotFound(error.cause);
}
