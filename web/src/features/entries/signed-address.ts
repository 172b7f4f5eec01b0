import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { startDownload } from '../../common/downloads.ts';

/** A URL of a file's bytes that needs no token and expires after a few minutes. @throws HoldallError */
export async function getSignedAddress(
  { id, driveId: drive }: Pick<EntryRecord, 'id' | 'driveId'>,
  signal?: AbortSignal,
): Promise<string> {
  const { url } = await ask('GET /api/files/download/{fileId}/url', { path: { fileId: id }, drive, signal });
  return toOwn(url);
}

/** @throws HoldallError if the service rejects the request for the URL */
export async function downloadFile(entry: Pick<EntryRecord, 'id' | 'driveId' | 'filename'>): Promise<void> {
  startDownload(await getSignedAddress(entry), entry.filename);
}

/** The paths of the service's own signed URLs, for a single file or an archive of several. */
const OWN_SIGNED_PATHS = /^\/(?:_dl\/|api\/v2\/downloads$)/;

/**
 * Moves a signed URL of the service to the page's origin. The service may know itself by another host name,
 * but the page may only send requests to its own host. The signature covers only the path and the query. The
 * URL of an object in a bucket stays unchanged.
 */
export function toOwn(url: string): string {
  const { pathname, search } = new URL(url, window.location.href);
  return OWN_SIGNED_PATHS.test(pathname) ? pathname + search : url;
}
