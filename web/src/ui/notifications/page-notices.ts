import { notifications } from '@mantine/notifications';

/** The notifications about the page that is shown, such as a deletion in its list. */
const shown = new Set<string>();

/** The notification closes when the user goes to another kind of page. */
export function closeWithPage(id: string): void {
  shown.add(id);
}

/** Called when the page has changed. */
export function closePageNotices(): void {
  for (const id of shown) notifications.hide(id);
  shown.clear();
}
