import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadSentences } from '../../common/message-of.ts';
import { LazyModule, whenIdle } from '../../common/timing/lazy-module.ts';

const list = new LazyModule(async () => ({
  default: (await import('./notification-list.tsx')).NotificationList,
}));
const NotificationList = lazy(list.get);

/**
 * Notifications. Their component is loaded in advance when the page is idle, because the first notification
 * may say that there is no connection.
 */
export function Notices() {
  const { notifications } = useNotifications();
  const [isUsed, setUsed] = useState(false);
  useEffect(() => {
    whenIdle(() => void list.get());
    whenIdle(() => void loadSentences());
  }, []);
  if (!isUsed && notifications.length > 0) setUsed(true);
  if (!isUsed) return null;
  return (
    <Suspense fallback={null}>
      <NotificationList />
    </Suspense>
  );
}
