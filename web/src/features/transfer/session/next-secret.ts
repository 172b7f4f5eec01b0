// The secret of the next encrypted transfer. Its keys are derived in advance, while the user chooses files.

import {
  makeTransferSecret,
  type TransferSecret,
} from '../../../../../client/src/transfer/session/sealed-transfer.ts';

let next: Promise<TransferSecret> | undefined;

/** May be called repeatedly. */
export function prepareSecret(): void {
  if (next !== undefined) return;
  next = makeTransferSecret();
  // The caller of takeSecret handles the error.
  next.catch(() => undefined);
}

/** Returns each secret only once, whether it was prepared or not. */
export function takeSecret(): Promise<TransferSecret> {
  const taken = next ?? makeTransferSecret();
  next = undefined;
  return taken;
}
