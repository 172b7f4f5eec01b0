import type { DownloadProgress } from '../downloads/download.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { CallOptions } from '../requests/call-options.ts';
import { type SaveSource, saveDownload } from './save-download.ts';

export interface SaveOptions extends CallOptions {
  /** The modification time for the file on disk, such as `modifiedAt` of its record; now if absent. */
  readonly modifiedAt?: Date | undefined;
  /** Called as bytes are written. The bytes of an earlier run count. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/**
 * Saves a file from the drive on disk. The bytes that have arrived are kept in `.holdall-….part` next to the
 * target, so that another run can continue, as long as the content is the same. The target appears once it is
 * complete, has the correct checksum and was flushed to disk; an existing file is replaced. Two programs
 * cannot save to one target at the same time.
 * @returns the number of bytes received by this run
 * @throws HoldallError: `ConflictError` if another program saves to this target; Error of the file system
 */
export async function saveFile(
  downloads: Downloads,
  fileId: number,
  target: string,
  options: SaveOptions = {},
): Promise<number> {
  const { signal, timeoutMs, modifiedAt, onProgress } = options;
  let count = 0;
  const { receivedBytes } = await saveDownload(
    fileSource(downloads, fileId, { signal, timeoutMs }),
    { path: target, modifiedAt, mayReplace: true },
    (bytes, { fullSize }) => {
      count += bytes;
      onProgress?.({ receivedBytes: count, totalBytes: fullSize });
    },
  );
  return receivedBytes;
}

/** A file in the drive as a source for `saveDownload`. */
export function fileSource(downloads: Downloads, fileId: number, call: CallOptions): SaveSource {
  return {
    open: (start, etag) => downloads.open(fileId, { ...call, start, etag, verify: false }),
    findSha256: async (etag) => (etag === undefined ? undefined : await downloads.sha256(fileId, etag, call)),
  };
}
