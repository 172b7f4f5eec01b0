import type { FileSink, FileSinks } from '../../../../../client/src/transfer/blocks/file-sink.ts';

/** Where received files are saved. */
export interface SavePlace extends FileSinks {
  readonly kind: 'file' | 'folder' | 'browser' | 'memory';
  /** The name of the file or folder that the user has chosen. */
  readonly name: string | undefined;
  /** Returns a closed file. Its bytes are read only when the caller reads them. */
  find(file: number): Promise<File | undefined>;
}

/** A place inside the browser. */
export interface HiddenPlace extends SavePlace {
  /** Removes a closed file to make room for others. */
  remove(file: number): Promise<void>;
  /**
   * A place for one archive of all files, which exists as long as the page is open.
   * @throws NoPlace if there is not enough space for it in addition to the files
   */
  openArchive(bytes: number): Promise<ArchivePlace>;
}

export interface ArchivePlace {
  readonly target: WritableStream<Uint8Array<ArrayBuffer>>;
  /** Returns the archive after its target was closed. */
  finish(name: string): Promise<File>;
  /** Removes an incomplete archive. */
  abandon(): Promise<void>;
}

export function isHidden(place: SavePlace): place is HiddenPlace {
  return place.kind === 'browser' || place.kind === 'memory';
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
