import { type Query, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { useUser } from '../../api/use-session.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { LazyModule, whenIdle } from '../../common/timing/lazy-module.ts';
import { useDrive } from '../drives/use-drive.ts';
import { clearOffers } from './device-offers.ts';
import type { FollowParts } from './follow-drive.ts';
import { setUnreachable, UnreachableNotice } from './unreachable-notice.tsx';

const follow = new LazyModule(() => import('./follow-drive.ts'));

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
    const stop = followWhenIdle({
      ...{ userId: id, drive: undefined, queryClient },
      onShow: (folder) => void navigate(toDirectory(folder, { drive: undefined })),
      onReachability: (isUnreachable) => {
        setUnreachable(isUnreachable);
        // Repeats the queries that failed meanwhile. Missed events refresh the rest.
        if (!isUnreachable) void queryClient.refetchQueries({ predicate: hasFailed, type: 'active' });
      },
    });
    return () => {
      stop();
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
    return followWhenIdle({
      ...{ userId, drive, queryClient },
      onShow: (folder) => void navigate(toDirectory(folder, { drive })),
      // The stream of the personal drive reports it.
      onReachability: () => undefined,
    });
  }, [queryClient, userId, drive, isFollowed, navigate]);
}

/** Follows a drive once the page has shown its first list. Returns a function that stops it. */
function followWhenIdle(parts: FollowParts): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  const begin = async () => {
    const { followDrive } = await follow.get();
    if (!isStopped) stop = followDrive(parts);
  };
  whenIdle(() => void begin());
  return () => {
    isStopped = true;
    stop?.();
  };
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error';
}
