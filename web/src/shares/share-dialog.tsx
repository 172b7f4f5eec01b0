import type { EntryRecord } from '../../../server/src/contract.ts';

/** Shares a file or a folder, with its options, its link and its QR code. */
export function ShareDialog(_: { readonly entry: EntryRecord; readonly onClose: () => void }) {
  return null;
}
