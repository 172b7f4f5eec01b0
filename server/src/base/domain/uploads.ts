export type UploadKind = 'SESSION' | 'LEGACY';

/** Through the server (PROXY), or by signed requests directly to the store, in one request or in parts. */
export type UploadMode = 'PROXY' | 'DIRECT_SINGLE' | 'DIRECT_MULTIPART';

export type UploadStatus =
  | 'CREATED'
  | 'UPLOADING'
  | 'COMPLETING'
  | 'COMPLETED'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'FAILED';

/** The size of a file whose bytes have not arrived yet, as far as the request announces it. */
export interface ExpectedSize {
  readonly minBytes: number;
  /** Undefined when the request does not announce its length. */
  readonly maxBytes: number | undefined;
}

/**
 * What happens if the name of an uploaded file is taken: the upload is rejected, or the file that has the
 * name gets the new content and keeps its id, its links and a version of the old content.
 */
export const UPLOAD_CONFLICT_RULES = ['FAIL', 'NEW_VERSION'] as const;
export type UploadConflictRule = (typeof UPLOAD_CONFLICT_RULES)[number];
