import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { startDownload } from '../../common/downloads.ts';

/** The address of a file's bytes. It needs no header, and expires after some minutes. @throws HoldallError */
export async function getSignedAddress(
  { id }: Pick<EntryRecord, 'id'>,
  signal?: AbortSignal,
): Promise<string> {
  const { url } = await ask('GET /api/files/download/{fileId}/url', { path: { fileId: id }, signal });
  return toOwn(url);
}

/** @throws HoldallError if the service refuses before the download begins */
export async function downloadFile(entry: Pick<EntryRecord, 'id' | 'filename'>): Promise<void> {
  startDownload(await getSignedAddress(entry), entry.filename);
}

/** The paths of the service's own signed URLs: of one file, and of one archive of several. */
const OWN = /^\/(?:_dl\/|api\/v2\/downloads$)/;

/**
 * The service may use another host name for itself than the one from which the page was loaded. The signature
 * covers the path and the query only, and the page may only send requests to its own host. The URL of an
 * object in a bucket stays as it is.
 */
export function toOwn(url: string): string {
  const { pathname, search } = new URL(url, window.location.href);
  return OWN.test(pathname) ? pathname + search : url;
}
