import type { EntryRecord } from '../../../server/src/contract.ts';

/** What is known of a file or folder: size, times, metadata, checksum. A drawer beside the page. */
export function DetailsPanel(_: { readonly entry: EntryRecord; readonly onClose: () => void }) {
  return null;
}
