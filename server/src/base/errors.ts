/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** In characters. */
const MAX_RECORDED_LENGTH = 500;

/** The message of an error for a record in the database. @param ifEmpty what is recorded without a message */
export function toRecordedMessage(thrown: unknown, ifEmpty: string): string {
  const message = toError(thrown).message.replaceAll('\0', '');
  return Array.from(message).slice(0, MAX_RECORDED_LENGTH).join('') || ifEmpty;
}
