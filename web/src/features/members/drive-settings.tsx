import { type ReactNode, Suspense, useState } from 'react';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';

const DriveDialog = lazyPart(async () => (await import('./drive-dialog.tsx')).DriveDialog);

interface DriveSettingsProps {
  readonly drive: DriveRecord;
  /** Renders the button. */
  readonly children: (open: () => void) => ReactNode;
}

/** A button that opens the members and settings of a drive. */
export function DriveSettings({ drive, children }: DriveSettingsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
      {isOpen && (
        <Suspense fallback={null}>
          <DriveDialog drive={drive} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
