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
  /**
   * A place for one archive of all files, which stays as long as the page is open.
   * @throws NoPlace if there is no room for it beside the files
   */
  openArchive(bytes: number): Promise<ArchivePlace>;
}

export interface ArchivePlace {
  readonly target: WritableStream<Uint8Array<ArrayBuffer>>;
  /** The archive, after the target was closed. */
  finish(name: string): Promise<File>;
  /** Removes an archive that is not complete. */
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
