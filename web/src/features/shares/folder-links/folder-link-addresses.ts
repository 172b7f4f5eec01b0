import { addressOf } from '../../../api/address-of.ts';
import type { ThumbnailSize } from '../../entries/thumbnails/thumbnail-size.ts';

/** The public page of a folder link. */
export function toFolderLinkPage(token: string): string {
  return `${window.location.origin}/f/${token}`;
}

/** The maximum length of a URL. Servers and proxies reject longer request lines. */
const MAX_CHARACTERS = 8_000;

/**
 * The download URL of a single file, or of an archive of directories or several entries.
 * @param paths below the link
 * @returns undefined if there are too many paths for one URL
 */
export function toLinkedDownload(token: string, paths: readonly string[]): string | undefined {
  const query = { path: paths };
  const address = addressOf('GET /api/v2/folder-links/{token}/download', { path: { token }, query });
  return address.length > MAX_CHARACTERS ? undefined : address;
}

/** @param size the longest side in pixels */
export function toLinkedThumbnail(token: string, path: string, version: string, size: ThumbnailSize): string {
  const query = { path, size, v: version };
  return addressOf('GET /api/v2/folder-links/{token}/thumbnail', { path: { token }, query });
}
