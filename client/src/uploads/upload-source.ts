/** What can be uploaded: anything that can be read again from any position. */
export type UploadSource = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string | PieceSource;

/** Bytes that are read piece by piece, such as a file opened by `openUpload` of `@holdall/client/node`. */
export interface PieceSource {
  /** The size in bytes. */
  readonly size: number;
  readonly name?: string | undefined;
  /** The media type; empty or absent if unknown. */
  readonly type?: string | undefined;
  /** When it was last modified, in milliseconds since 1970. */
  readonly lastModified?: number | undefined;
  /** Fills `into` with the bytes starting at `start`. @throws Error if they cannot be read */
  readPiece(start: number, into: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Converts any source to one that is read piece by piece, without copying the bytes of a `File`. */
export function toPieces(source: UploadSource): PieceSource {
  if (typeof source === 'string') return piecesOfBytes(new TextEncoder().encode(source));
  if (source instanceof ArrayBuffer) return piecesOfBytes(new Uint8Array(source));
  if (source instanceof Uint8Array) return piecesOfBytes(source);
  return source instanceof Blob ? piecesOfBlob(source) : source;
}

/** The name of a `File`, or undefined. */
export function nameOf(source: UploadSource): string | undefined {
  return hasFacts(source) && 'name' in source && typeof source.name === 'string' ? source.name : undefined;
}

/** When a `File` was last modified, in the service's format, or undefined. */
export function timeOf(source: UploadSource): string | undefined {
  if (!hasFacts(source) || !('lastModified' in source)) return undefined;
  return typeof source.lastModified === 'number' ? new Date(source.lastModified).toISOString() : undefined;
}

function hasFacts(source: UploadSource): source is Blob | PieceSource {
  return source instanceof Blob || (typeof source === 'object' && 'readPiece' in source);
}

function piecesOfBytes(bytes: Uint8Array<ArrayBuffer>): PieceSource {
  return {
    size: bytes.length,
    readPiece: async (start, into) => into.set(bytes.subarray(start, start + into.length)),
  };
}

function piecesOfBlob(blob: Blob): PieceSource {
  return {
    size: blob.size,
    type: blob.type,
    readPiece: async (start, into) =>
      into.set(new Uint8Array(await blob.slice(start, start + into.length).arrayBuffer())),
  };
}
