/** Where an object lies. */
export interface ObjectLocation {
  readonly policyId: number;
  readonly objectKey: string;
}

/** Bytes in a store. The digests are null as long as nobody has taken them: where the bytes did not pass us. */
export interface StoredBytes extends ObjectLocation {
  readonly size: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string | null;
  readonly crc32: number | null;
}
