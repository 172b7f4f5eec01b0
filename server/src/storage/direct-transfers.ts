/** A request that a client sends to the store by itself: exactly so, or the store refuses it. */
export interface SignedRequest {
  readonly url: string;
  readonly method: 'PUT';
  /** To be sent as they stand; a browser adds `Content-Length` by itself. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedPart {
  /** From 1. */
  readonly number: number;
  /** As the store gave it to the client, with or without quotes. */
  readonly etag: string;
}

/** What the store says of the object in its answer. */
export interface SignedDownload {
  /** The whole header; always an `attachment`, so that no page and no script of it runs where it comes from. */
  readonly disposition: string;
  readonly contentType: string;
}

/**
 * What a store lets clients do with it directly, so that their bytes do not pass this program. Signed requests are good
 * for `lifetimeMs` and bind the key and the length.
 */
export interface DirectTransfers {
  /** The most bytes that one signed PUT may carry. */
  readonly maxPutBytes: number;
  /** The most bytes of one part; every part but the last has at least {@link minPartBytes}. */
  readonly maxPartBytes: number;
  readonly minPartBytes: number;
  readonly maxParts: number;

  /** A PUT of exactly `size` bytes, which the store refuses (412) where there is an object already. */
  signPut(key: string, size: number, lifetimeMs: number): Promise<SignedRequest>;

  /** An address that gives the object as a download, also for HEAD-less clients and ranges. */
  signGet(key: string, download: SignedDownload, lifetimeMs: number): Promise<string>;

  /** Gives the upload's id at the store. It stays until it is completed or aborted. */
  beginMultipart(key: string): Promise<string>;

  signPart(
    upload: MultipartUpload,
    part: { readonly number: number; readonly size: number },
    lifetimeMs: number,
  ): Promise<SignedRequest>;

  /**
   * Makes one object of the parts, which are in order. Visible and durable when the promise resolves. May be repeated,
   * and may have been done already: an upload that the store knows no more is complete when the object is there.
   *
   * @throws Failure `rejected` when the store does not have the parts as they are named here, or has no such upload
   *   and no object; the upload stays as it was
   */
  completeMultipart(upload: MultipartUpload, parts: readonly RecordedPart[]): Promise<void>;

  /** Drops the upload and its parts; one that is not there is no error. */
  abortMultipart(upload: MultipartUpload): Promise<void>;
}

export interface MultipartUpload {
  readonly key: string;
  readonly id: string;
}
