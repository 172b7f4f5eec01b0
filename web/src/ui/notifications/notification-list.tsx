import { Notifications } from '@mantine/notifications';

const MAX_SHOWN = 3;
const STAYS_MS = 5_000;
const MOTION_MS = 120;

/** Where notifications appear. */
export function NotificationList() {
  return (
    <Notifications
      position="bottom-right"
      limit={MAX_SHOWN}
      autoClose={STAYS_MS}
      transitionDuration={MOTION_MS}
    />
  );
}
