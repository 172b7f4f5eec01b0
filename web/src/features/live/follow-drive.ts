import type { QueryClient } from '@tanstack/react-query';
import type { DevicesMessage } from '../../api/contract.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { LazyModule, whenIdle } from '../../common/timing/lazy-module.ts';
import { findDriveName } from '../drives/use-drive.ts';
import { setOffers } from './device-offers.ts';
import type { ReceivedFiles } from './received-files.ts';
import type { Refresher } from './refresher.ts';
import type { Listener } from './shared-stream.ts';
import { type FileEvent, toStaleQueries } from './stale-queries.ts';

const receivedFiles = new LazyModule(() => import('./received-files.ts'));
const sharedStream = new LazyModule(() => import('./shared-stream.ts'));

interface FollowParts {
  readonly userId: number;
  readonly drive: DriveId;
  readonly queryClient: QueryClient;
  readonly refresher: Refresher;
  /** Shows a folder of the drive that has received files. */
  readonly onShow: (folder: string) => void;
  readonly onReachability: (isAway: boolean) => void;
}

/**
 * Follows the events of one drive once the page has shown its first list, and refetches what they make stale.
 * Returns a function that stops it.
 */
export function followDrive(parts: FollowParts): () => void {
  const { userId, drive, queryClient, refresher, onShow, onReachability } = parts;
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
    if (drive !== undefined) void queryClient.invalidateQueries({ queryKey: KEYS.drives(), exact: true });
    // One tab refetches it and passes it on to all others.
    else if (isLeading) refresher.refetchUsage();
  };
  const stop = followWhenIdle(userId, drive, {
    onMessage: ({ type, data }) => {
      if (type === 'DEVICES') {
        setOffers(JSON.parse(data) as DevicesMessage);
        void queryClient.invalidateQueries({ queryKey: KEYS.logins() });
        return;
      }
      // Only the stream of the personal drive has it.
      if (type === 'DRIVES_CHANGED') {
        void queryClient.invalidateQueries({ queryKey: KEYS.drives() });
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
      if (drive === undefined && isLeading) refresher.refetchUsage();
    },
    onReachability,
    onLead: (value) => {
      isLeading = value;
    },
  });
  return () => {
    stop();
    isStopped = true;
    received?.stop();
  };
}

function followWhenIdle(userId: number, drive: DriveId, listener: Listener): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  const begin = async () => {
    const { shareStream } = await sharedStream.get();
    if (!isStopped) stop = shareStream(userId, drive, listener);
  };
  whenIdle(() => void begin());
  return () => {
    isStopped = true;
    stop?.();
  };
}
