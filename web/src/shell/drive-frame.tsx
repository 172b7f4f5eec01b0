import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../common/timing/lazy-part.ts';
import { useDriveId } from '../features/drives/use-drive.ts';
import { ListPlaceholder } from '../ui/placeholders/list-placeholder.tsx';

const SharedDriveFrame = lazyPart(async () => (await import('./shared-drive-frame.tsx')).SharedDriveFrame);

/** The page, in the personal drive or in a shared one. */
export function DriveFrame() {
  const id = useDriveId();
  if (id === undefined) return <Outlet />;
  return (
    <Suspense fallback={<ListPlaceholder />}>
      <SharedDriveFrame id={id} />
    </Suspense>
  );
}
