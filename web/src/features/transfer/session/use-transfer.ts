import { useSyncExternalStore } from 'react';
import { currentTransfers, onCurrentChange } from './current.ts';
import type { Receiving } from './receiving.ts';
import type { TransferState, TransferStore } from './state/transfer-state.ts';

export function useCurrentTransfers() {
  return useSyncExternalStore(onCurrentChange, currentTransfers);
}

export function useTransferState(store: TransferStore): TransferState {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}

/** Whether the transfer, if there is one, has not ended. */
export function useIsReceiving(receiving: Receiving | undefined): boolean {
  return useSyncExternalStore(
    receiving?.store.subscribe ?? neverChanges,
    () => receiving?.store.isOver === false,
  );
}

function neverChanges(): () => void {
  return () => undefined;
}
