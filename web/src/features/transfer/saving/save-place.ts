/** Where received files go. */
export interface SavePlace {
  readonly kind: 'file' | 'folder' | 'browser' | 'memory';
  /** Of the file or folder that somebody has picked. */
  readonly name: string | undefined;
  /** Begins the file of that number in the list, from its first byte. */
  begin(file: number): Promise<FileSink>;
  /** The file once it is closed; its bytes stay where they are until somebody reads them. */
  find(file: number): Promise<File | undefined>;
}

/** Takes the bytes of one file in their order. Nothing of it is to be seen where it belongs before the close. */
export interface FileSink {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

/** No place of this browser takes so much. */
export class NoPlace extends Error {}

export function toSink(stream: FileSystemWritableFileStream): FileSink {
  return {
    write: (bytes) => stream.write(bytes),
    close: () => stream.close(),
    abort: () => stream.abort(),
  };
}
