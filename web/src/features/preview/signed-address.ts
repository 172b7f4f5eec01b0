import { ask } from '../../api/ask.ts';
import type { EntryRecord, SignedUrl } from '../../api/contract.ts';

/** Where a file can be had without a header, for some minutes. */
export async function signedAddress({ id }: Pick<EntryRecord, 'id'>): Promise<string> {
  const { url } = await ask<SignedUrl>('GET', `/api/files/download/${id}/url`);
  return toOwn(url);
}

/**
 * The service signs what follows its name, and may know itself by another name than the one that the page came from. The
 * page may ask that one only.
 */
function toOwn(url: string): string {
  const { pathname, search } = new URL(url, window.location.href);
  return pathname.startsWith('/_dl/') ? pathname + search : url;
}

/** Has the browser save a file, by its own means. */
export async function saveFile(entry: Pick<EntryRecord, 'id' | 'filename'>): Promise<void> {
  const link = document.createElement('a');
  link.href = await signedAddress(entry);
  link.download = entry.filename;
  link.click();
}
