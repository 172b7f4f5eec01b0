import type { QueryClient } from '@tanstack/react-query';
import type { DevicesMessage } from '../../api/contract.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { LazyModule } from '../../common/timing/lazy-module.ts';
import { findDriveName } from '../drives/drive-names.ts';
import { setOffers } from './device-offers.ts';
import type { ReceivedFiles } from './received-files.ts';
import { Refresher } from './refresher.ts';
import { shareStream } from './shared-stream.ts';
import { type FileEvent, toStaleQueries } from './stale-queries.ts';

const receivedFiles = new LazyModule(() => import('./received-files.ts'));

export interface FollowParts {
  readonly userId: number;
  readonly drive: DriveId;
  readonly queryClient: QueryClient;
  /** Shows a folder of the drive that has received files. */
  readonly onShow: (folder: string) => void;
  readonly onReachability: (isAway: boolean) => void;
}

/** Follows the events of one drive, and refetches what they make stale. Returns a function that stops it. */
export function followDrive(parts: FollowParts): () => void {
  const { userId, drive, queryClient, onShow, onReachability } = parts;
  const refresher = new Refresher(queryClient, driveKey(drive));
  let received: ReceivedFiles | undefined;
  let isStopped = false;
  let isLeading = false;
  const notify = async (event: FileEvent) => {
    const { ReceivedFiles } = await receivedFiles.get();
    if (isStopped) return;
    received ??= new ReceivedFiles(() => findDriveName(queryClient, drive), onShow);
    received.add(event);
  };
  const renewUsage = () => {
    // One tab refetches the user for all others, but each tab has its own list of drives.
    if (drive !== undefined || isLeading) refresher.refetchUsage();
  };
  // The stored user data may be from the last visit.
  if (drive === undefined) refresher.refetchUsage({ immediately: true });
  const stop = shareStream(userId, drive, {
    onMessage: ({ type, data }) => {
      if (type === 'DEVICES') {
        setOffers(JSON.parse(data) as DevicesMessage);
        void queryClient.invalidateQueries({ queryKey: KEYS.logins() });
        return;
      }
      // Only the stream of the personal drive has this message and the next one.
      if (type === 'DRIVES_CHANGED') {
        void queryClient.invalidateQueries({ queryKey: KEYS.drives() });
        return;
      }
      // Also after a reconnect, because one may have been missed.
      if (type === 'NOTIFICATION') {
        void queryClient.invalidateQueries({ queryKey: KEYS.notifications() });
        return;
      }
      // The service sends events of this schema.
      const event = JSON.parse(data) as FileEvent;
      const stale = toStaleQueries(event, driveKey(drive));
      if (event.payload?.sender !== undefined) void notify(event);
      refresher.add(stale);
      if (stale?.usage !== false) renewUsage();
    },
    onMissedEvents: () => {
      refresher.addEverything();
      renewUsage();
    },
    onReachability,
    onLead: (value) => {
      isLeading = value;
    },
  });
  return () => {
    // Changes that are not handled yet make the next start refetch everything of the drive.
    stop({ canResume: refresher.isIdle });
    refresher.stop();
    isStopped = true;
    received?.stop();
  };
}
