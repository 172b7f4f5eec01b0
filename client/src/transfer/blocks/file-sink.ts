/** Where received files are written. */
export interface FileSinks {
  /** Starts the file with that index from its first byte. */
  begin(file: number): Promise<FileSink>;
}

/** Takes the bytes of one file in order. The file becomes visible at its destination when it is closed. */
export interface FileSink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  /** Discards the file. */
  abort(): Promise<void>;
}
