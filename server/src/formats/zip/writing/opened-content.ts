import { addAbortSignal, Readable } from 'node:stream';

/** The chunks of an opened source. The signal also ends a source that has stalled. */
export async function openedContent(
  opening: Promise<AsyncIterable<Uint8Array>>,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const source = await opening;
  if (signal !== undefined && source instanceof Readable) addAbortSignal(signal, source);
  return source;
}
