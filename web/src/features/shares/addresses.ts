import { addressOf } from '../../api/address-of.ts';

/** The public page of a share. */
export function toSharePage(token: string): string {
  return `${window.location.origin}/s/${token}`;
}

/** The page of a legacy link, which still exists for folders. */
export function toLinkPage(token: string): string {
  return `${window.location.origin}/l/${token}`;
}

/** The download URL of a share. It has no password, because the browser has a cookie after verification. */
export function toDownload(token: string): string {
  return `${addressOf('GET /api/v2/shares/{token}', { path: { token } })}?download`;
}

/**
 * A picture of the shared file, at most `size` pixels wide and high. It does not count as a use of the share.
 */
export function toThumbnail(token: string, version: string, size: 1024 | 2048): string {
  const query = { size, v: version };
  return addressOf('GET /api/v2/shares/{token}/thumbnail', { path: { token }, query });
}
