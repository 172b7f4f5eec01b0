import { useSyncExternalStore } from 'react';
import { currentTransfers, onCurrentChange } from './current.ts';
import type { TransferState, TransferStore } from './transfer-state.ts';

export function useCurrentTransfers() {
  return useSyncExternalStore(onCurrentChange, currentTransfers);
}

export function useTransferState(store: TransferStore): TransferState {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
