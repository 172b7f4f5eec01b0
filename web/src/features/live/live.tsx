import { type Query, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { DevicesMessage } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { toDirectory } from '../../common/names/drive-paths.ts';
import { LazyModule, whenIdle } from '../../common/timing/lazy-module.ts';
import { clearOffers, setOffers } from './device-offers.ts';
import type { ReceivedFiles } from './received-files.ts';
import { Refresher } from './refresher.ts';
import type { Listener } from './shared-stream.ts';
import { type FileEvent, toStaleQueries } from './stale-queries.ts';
import { setUnreachable, UnreachableNotice } from './unreachable-notice.tsx';

const receivedFiles = new LazyModule(() => import('./received-files.ts'));
const sharedStream = new LazyModule(() => import('./shared-stream.ts'));

/** Keeps the page up to date while others change the drive, and shows when the service is unreachable. */
export function Live() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id } = useUser();
  useEffect(() => {
    const refresher = new Refresher(queryClient);
    let received: ReceivedFiles | undefined;
    let isStopped = false;
    const notify = async (event: FileEvent) => {
      const { ReceivedFiles } = await receivedFiles.get();
      if (isStopped) return;
      received ??= new ReceivedFiles((folder) => void navigate(toDirectory(folder)));
      received.add(event);
    };
    // The stored user data may be from the last visit.
    refresher.refetchUsage({ immediately: true });
    let isLeading = false;
    const stop = followWhenIdle(id, {
      onMessage: ({ type, data }) => {
        if (type === 'DEVICES') {
          setOffers(JSON.parse(data) as DevicesMessage);
          void queryClient.invalidateQueries({ queryKey: KEYS.logins() });
          return;
        }
        // The service sends events of this schema.
        const event = JSON.parse(data) as FileEvent;
        const stale = toStaleQueries(event);
        if (event.payload?.sender !== undefined) void notify(event);
        refresher.add(stale);
        // One tab refetches it and passes it on to all others.
        if (isLeading && stale?.usage !== false) refresher.refetchUsage();
      },
      onMissedEvents: () => {
        refresher.addEverything();
        if (isLeading) refresher.refetchUsage();
      },
      onReachability: (isUnreachable) => {
        setUnreachable(isUnreachable);
        // Repeats the queries that failed meanwhile. Missed events refresh the rest.
        if (!isUnreachable) void queryClient.refetchQueries({ predicate: hasFailed, type: 'active' });
      },
      onLead: (value) => {
        isLeading = value;
      },
    });
    return () => {
      stop();
      refresher.stop();
      isStopped = true;
      received?.stop();
      setUnreachable(false);
      clearOffers();
    };
  }, [queryClient, id, navigate]);
  return <UnreachableNotice />;
}

/** Follows the drive once the page has shown its first list. @returns a function that stops it */
function followWhenIdle(userId: number, listener: Listener): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  const begin = async () => {
    const { shareStream } = await sharedStream.get();
    if (!isStopped) stop = shareStream(userId, undefined, listener);
  };
  whenIdle(() => void begin());
  return () => {
    isStopped = true;
    stop?.();
  };
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error';
}
