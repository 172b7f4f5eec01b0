import type { DownloadProgress } from '../downloads/download.ts';
import type { Downloads } from '../downloads/downloads.ts';
import type { CallOptions } from '../requests/call-options.ts';
import { type SaveSource, saveDownload } from './save-download.ts';

export interface SaveOptions extends CallOptions {
  /** The time that the file on disk gets, such as `modifiedAt` of its record; now if absent. */
  readonly modifiedAt?: Date | undefined;
  /** Called as bytes are written; those of an earlier run count. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/**
 * Saves a file of the drive on disk. What has arrived is kept in `.holdall-….part` beside the target, so that
 * another run goes on where this one ended, as long as the content is the same. The target appears when it is
 * complete, has the right checksum and is on disk; an older file there is replaced. Two programs cannot save
 * to one target at once.
 * @returns the number of bytes that this run has received
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

/** A file of the drive, for `saveDownload`. */
export function fileSource(downloads: Downloads, fileId: number, call: CallOptions): SaveSource {
  return {
    open: (start, etag) => downloads.open(fileId, { ...call, start, etag, verify: false }),
    findSha256: async (etag) => (etag === undefined ? undefined : await downloads.sha256(fileId, etag, call)),
  };
}
