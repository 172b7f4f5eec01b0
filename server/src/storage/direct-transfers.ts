/** A request that a client sends directly to the store. The store rejects it if anything in it is changed. */
export interface SignedRequest {
  readonly url: string;
  readonly method: 'PUT';
  /** The client must send them unchanged. A browser adds `Content-Length` itself. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedPart {
  /** From 1. */
  readonly number: number;
  /** The ETag that the client received from the store, with or without quotes. */
  readonly etag: string;
}

/** The headers that the store sends with the object. */
export interface SignedDownload {
  /**
   * The complete `Content-Disposition`. Always an `attachment`: the store's origin must not run pages or
   * scripts.
   */
  readonly disposition: string;
  readonly contentType: string;
}

/**
 * Requests that clients may send directly to the store, so that their bytes do not pass through this server.
 * A signed request is valid for `lifetimeMs` and only for its key and its length.
 */
export interface DirectTransfers {
  /** The maximum size of one signed PUT. */
  readonly maxPutBytes: number;
  /** The maximum size of a part. Every part but the last has at least {@link minPartBytes}. */
  readonly maxPartBytes: number;
  readonly minPartBytes: number;
  readonly maxParts: number;

  /** A PUT of exactly `size` bytes. The store rejects it (412) if the object already exists. */
  signPut(key: string, size: number, lifetimeMs: number): Promise<SignedRequest>;

  /** A URL that downloads the object. It also works for ranges, but not for HEAD. */
  signGet(key: string, download: SignedDownload, lifetimeMs: number): Promise<string>;

  /** Returns the id of the upload in the store. The upload exists until it is completed or aborted. */
  beginMultipart(key: string): Promise<string>;

  signPart(
    upload: MultipartUpload,
    part: { readonly number: number; readonly size: number },
    lifetimeMs: number,
  ): Promise<SignedRequest>;

  /**
   * Joins the parts, given in order, into one object, which is visible and durable when the promise resolves.
   * May be repeated: if the upload is gone but the object exists, an earlier call completed the upload.
   *
   * @throws Failure `rejected` when the parts in the store differ from `parts`, or neither the upload nor the
   *   object exists; the upload stays unchanged
   */
  completeMultipart(upload: MultipartUpload, parts: readonly RecordedPart[]): Promise<void>;

  /** Discards the upload and its parts. Not an error if it does not exist. */
  abortMultipart(upload: MultipartUpload): Promise<void>;
}

export interface MultipartUpload {
  readonly key: string;
  readonly id: string;
}
