/** What can be uploaded: anything that can be read again from any position. */
export type UploadSource = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string;

/** The source as a `Blob`, which does not copy the bytes of a `File`. */
export function toBlob(source: UploadSource): Blob {
  return source instanceof Blob ? source : new Blob([source]);
}

/** How many bytes a source has. */
export function sizeOf(source: UploadSource): number {
  if (source instanceof Blob) return source.size;
  return typeof source === 'string' ? new TextEncoder().encode(source).length : source.byteLength;
}

/** All bytes of a source. */
export async function readBytes(source: UploadSource): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Uint8Array) return source;
  if (typeof source === 'string') return new TextEncoder().encode(source);
  return new Uint8Array(source instanceof Blob ? await source.arrayBuffer() : source);
}

/** The name of a `File`, or undefined. */
export function nameOf(source: UploadSource): string | undefined {
  return source instanceof Blob && 'name' in source && typeof source.name === 'string'
    ? source.name
    : undefined;
}

/** When a `File` was last modified, as the service takes it, or undefined. */
export function timeOf(source: UploadSource): string | undefined {
  if (!(source instanceof Blob) || !('lastModified' in source)) return undefined;
  return typeof source.lastModified === 'number' ? new Date(source.lastModified).toISOString() : undefined;
}
