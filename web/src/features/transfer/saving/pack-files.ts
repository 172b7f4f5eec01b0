import { BlobReader, configure, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';

/** Bytes are only copied, so a worker would not help. */
configure({ useWebWorkers: false });

interface PackedFiles {
  /** The folders and the name of each file. */
  readonly paths: readonly (readonly string[])[];
  readonly find: (file: number) => Promise<File | undefined>;
}

/**
 * Writes the files with their folders into one ZIP archive, uncompressed: most large files are compressed
 * already. Only one piece of a file is in memory at a time.
 * @param onProgress called with the bytes of the files packed so far
 * @throws Error if a file is missing: an archive without it would look complete
 */
export async function packFiles(
  { paths, find }: PackedFiles,
  target: WritableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const writer = new ZipWriter(target, { level: 0 });
  let before = 0;
  for (const [index, path] of paths.entries()) {
    const file = await find(index);
    if (file === undefined) throw new Error(`There is no file ${index} to pack.`);
    await writer.add(path.join('/'), new BlobReader(file), {
      lastModDate: new Date(file.lastModified),
      onprogress: async (bytes) => onProgress(before + bytes),
    });
    before += file.size;
    onProgress(before);
  }
  await writer.close();
}

/** The name of the folder that contains all files, or a generic name. */
export function toArchiveName(paths: readonly (readonly string[])[]): string {
  const [first] = paths;
  const top = first !== undefined && first.length > 1 ? first[0] : undefined;
  const isShared = top !== undefined && paths.every((path) => path.length > 1 && path[0] === top);
  return `${isShared ? top : 'Transfer'}.zip`;
}
