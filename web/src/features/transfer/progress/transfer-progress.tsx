import type { TransferState } from '../session/state/transfer-state.ts';
import { FileProgress } from './file-progress.tsx';

/** The progress of a transfer, in total and per file. */
export function TransferProgress({ state }: { readonly state: TransferState }) {
  const { phase } = state;
  const isMoving = phase === 'running' || phase === 'storing' || phase === 'fetching';
  return <FileProgress progress={state} isMoving={isMoving} isWhole={phase === 'done'} />;
}
