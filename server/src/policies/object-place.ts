/** Where an object lies. */
export interface ObjectPlace {
  readonly policyId: number;
  readonly objectKey: string;
}

/** Bytes in a store. The digests are null as long as nobody has taken them: where the bytes did not pass us. */
export interface StoredBytes extends ObjectPlace {
  readonly size: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string | null;
  readonly crc32: number | null;
}
