import { FILE_KINDS, kindOfType } from '../base/domain/file-kinds.ts';

/** All columns of `entry` that depend on its content type. */
interface TypeColumns {
  readonly content_type: string | null;
  /** The position of the kind in `FILE_KINDS`. */
  readonly kind: number;
}

/**
 * Every statement that writes the content type of a file writes all of these columns. A directory has no
 * content type.
 */
export function toTypeColumns(contentType: string | null): TypeColumns {
  return { content_type: contentType, kind: FILE_KINDS.indexOf(kindOfType(contentType)) };
}
