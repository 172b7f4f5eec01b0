import { toMediaType } from '../../base/text/media-type.ts';
import { mediaTypeOf } from '../../formats/media/media-types.ts';

/** The types that clients send when they do not know the type. */
const UNSPECIFIC_TYPES = ['application/octet-stream', 'text/plain'];

/**
 * The content type to store for a file: the type that the client sent, unless it is unspecific and the file
 * name implies another.
 */
export function contentTypeFor(fileName: string, sent: string | null | undefined): string {
  const sentType = sent ? toMediaType(sent) : undefined;
  if (sentType !== undefined && !UNSPECIFIC_TYPES.includes(sentType)) return sentType;
  return mediaTypeOf(fileName) ?? sentType ?? 'application/octet-stream';
}
