/** What an announced upload becomes when it is completed. */
export type TicketPurpose = 'FILE' | 'AVATAR';

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

/** The size of a file whose bytes have not arrived yet, as far as its request tells it. */
export interface ExpectedSize {
  readonly minBytes: number;
  /** Undefined when the request does not announce its length. */
  readonly maxBytes: number | undefined;
}
