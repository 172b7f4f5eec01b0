import type { ByteWindows } from './windows.ts';

/** What the central directory says of an entry. */
export interface ListedEntry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly isDirectory: boolean;
  readonly isDeflated: boolean;
  /** Bytes of its content. */
  readonly size: number;
  /** Bytes that it takes in the archive. */
  readonly packedSize: number;
  readonly crc32: number;
  /** Of its local header. */
  readonly offset: number;
}

export interface ZipArchive {
  readonly bytes: ByteWindows;
  readonly entries: readonly ListedEntry[];
  /** Where the contents must have ended. */
  readonly directoryOffset: number;
}
