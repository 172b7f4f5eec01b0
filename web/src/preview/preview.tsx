import { lazy, Suspense } from 'react';
import type { EntryRecord } from '../../../server/src/contract.ts';

export interface PreviewProps {
  /** The files among which one goes forward and back. */
  readonly entries: readonly EntryRecord[];
  /** Which of them is shown. */
  readonly at: number;
  readonly onMove: (at: number) => void;
  readonly onClose: () => void;
}

const Viewer = lazy(async () => ({ default: (await import('./viewer.tsx')).Viewer }));

/** Shows a file over the whole page. */
export function Preview(props: PreviewProps) {
  return (
    <Suspense>
      <Viewer {...props} />
    </Suspense>
  );
}
