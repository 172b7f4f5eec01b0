import { toMediaType } from '../../base/text/media-type.ts';
import { mediaTypeOf } from '../../formats/media/media-types.ts';

/** What clients send when they do not know. */
const UNKNOWING = ['application/octet-stream', 'text/plain'];

/** The type to keep for a file: what the client says, unless that says nothing and the name says more. */
export function contentTypeFor(fileName: string, sent: string | null | undefined): string {
  const said = sent ? toMediaType(sent) : undefined;
  if (said !== undefined && !UNKNOWING.includes(said)) return said;
  return mediaTypeOf(fileName) ?? said ?? 'application/octet-stream';
}
