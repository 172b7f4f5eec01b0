import { Notifications } from '@mantine/notifications';

/** Where notifications appear. */
export function NotificationList() {
  return <Notifications position="bottom-right" />;
}
