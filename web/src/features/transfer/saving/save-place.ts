import type { FileSink, FileSinks } from '../../../../../client/src/transfer/blocks/file-sink.ts';

/** Where received files are saved. */
export interface SavePlace extends FileSinks {
  readonly kind: 'file' | 'folder' | 'browser' | 'memory';
  /** The name of the file or folder that the user has chosen. */
  readonly name: string | undefined;
  /** The file after it was closed. Its bytes are not read before the caller reads them. */
  find(file: number): Promise<File | undefined>;
}

/** A place inside the browser. */
export interface HiddenPlace extends SavePlace {
  /** Removes a closed file, which makes room for others. */
  remove(file: number): Promise<void>;
}

/** No place in this browser has enough space. */
export class NoPlace extends Error {}

export function toSink(stream: FileSystemWritableFileStream): FileSink {
  return {
    write: (bytes) => stream.write(bytes),
    close: () => stream.close(),
    abort: () => stream.abort(),
  };
}
