import type { Instant } from '../../base/clock.ts';
import { UPLOAD_CONFLICT_RULES, type UploadConflictRule } from '../../base/domain/uploads.ts';
import { Failure } from '../../base/failure.ts';
import { parseFileTime } from '../../base/file-times.ts';
import { toMediaType } from '../../base/text/media-type.ts';
import { type FileName, toFileName } from '../../base/text/names/file-name.ts';
import { type LogicalPath, toLogicalPath } from '../../base/text/names/logical-path.ts';
import { mediaTypeOf } from '../../formats/media/media-types.ts';

/** The types that clients send when they do not know the type. */
const UNSPECIFIC_TYPES = ['application/octet-stream', 'text/plain'];

/** The path, name and content type of a file that is to be created. */
export interface NewFile {
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
  readonly contentType: string;
  /** When the content was last modified on the client; by default the time of the upload. */
  readonly modifiedAt?: Instant | undefined;
}

/** Checks what a client sent about a new file. The default path is the root. @throws Failure `invalid` */
export function toNewFile(sent: {
  readonly path?: string | undefined;
  readonly filename: string;
  readonly contentType?: string | null | undefined;
  readonly modifiedAt?: string | null | undefined;
}): NewFile {
  return {
    directoryPath: toLogicalPath(sent.path ?? '/'),
    name: toFileName(sent.filename),
    contentType: contentTypeFor(sent.filename, sent.contentType),
    modifiedAt: toModifiedAt(sent.modifiedAt),
  };
}

/** Blank text counts as missing. @throws Failure `invalid` */
export function toModifiedAt(text: string | null | undefined): Instant | undefined {
  if (text == null || text === '') return undefined;
  const instant = parseFileTime(text);
  if (instant === undefined) throw new Failure('invalid', 'modifiedAt must be an ISO-8601 time.');
  return instant;
}

/** Blank text counts as missing. @throws Failure `invalid` */
export function toUploadConflictRule(text: string | null | undefined): UploadConflictRule {
  if (text == null || text === '') return 'FAIL';
  const rule = UPLOAD_CONFLICT_RULES.find((one) => one === text);
  if (rule === undefined) throw new Failure('invalid', 'onConflict must be FAIL or NEW_VERSION.');
  return rule;
}

/**
 * The content type to store for a file: the type that the client sent, unless it is unspecific and the file
 * name implies another.
 */
export function contentTypeFor(fileName: string, sent: string | null | undefined): string {
  const sentType = sent ? toMediaType(sent) : undefined;
  if (sentType !== undefined && !UNSPECIFIC_TYPES.includes(sentType)) return sentType;
  return mediaTypeOf(fileName) ?? sentType ?? 'application/octet-stream';
}
