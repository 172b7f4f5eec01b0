import type { EntryRecord } from '../../../server/src/contract.ts';

interface PreviewProps {
  /** The files among which one goes forward and back. */
  readonly entries: readonly EntryRecord[];
  /** Which of them is shown. */
  readonly at: number;
  readonly onMove: (at: number) => void;
  readonly onClose: () => void;
}

/** Shows a file over the whole page. */
export function Preview(_: PreviewProps) {
  return null;
}
