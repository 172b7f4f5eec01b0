import { type Query, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { useUser } from '../../api/use-session.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { useDrive } from '../drives/use-drive.ts';
import { clearOffers } from './device-offers.ts';
import { followDrive } from './follow-drive.ts';
import { Refresher } from './refresher.ts';
import { setUnreachable, UnreachableNotice } from './unreachable-notice.tsx';

/**
 * Keeps the page up to date while others change the drive, and shows when the service is unreachable. The
 * stream of the personal drive is always open, because it also reports changes of the list of drives.
 */
export function Live() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id } = useUser();
  useSharedDriveStream();
  useEffect(() => {
    const refresher = new Refresher(queryClient);
    // The stored user data may be from the last visit.
    refresher.refetchUsage({ immediately: true });
    const stop = followDrive({
      ...{ userId: id, drive: undefined, queryClient, refresher },
      onShow: (folder) => void navigate(toDirectory(folder, { drive: undefined })),
      onReachability: (isUnreachable) => {
        setUnreachable(isUnreachable);
        // Repeats the queries that failed meanwhile. Missed events refresh the rest.
        if (!isUnreachable) void queryClient.refetchQueries({ predicate: hasFailed, type: 'active' });
      },
    });
    return () => {
      stop();
      refresher.stop();
      setUnreachable(false);
      clearOffers();
    };
  }, [queryClient, id, navigate]);
  return <UnreachableNotice />;
}

/**
 * Follows the shared drive that the page shows. A hidden page does not, because a browser opens at most six
 * connections to a service, and each tab may show another drive.
 */
function useSharedDriveStream(): void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id: userId } = useUser();
  const { id: drive, role } = useDrive();
  const isVisible = useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible');
  const isFollowed = drive !== undefined && role !== undefined && isVisible;
  useEffect(() => {
    if (!isFollowed) return;
    const refresher = new Refresher(queryClient);
    const stop = followDrive({
      ...{ userId, drive, queryClient, refresher },
      onShow: (folder) => void navigate(toDirectory(folder, { drive })),
      // The stream of the personal drive reports it.
      onReachability: () => undefined,
    });
    return () => {
      stop();
      refresher.stop();
    };
  }, [queryClient, userId, drive, isFollowed, navigate]);
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error';
}
