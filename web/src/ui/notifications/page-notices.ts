import { notifications } from '@mantine/notifications';

/** The notifications about the current page, for example about a deletion in its list. */
const shown = new Set<string>();

/** Closes the notification when the user opens another kind of page. */
export function closeWithPage(id: string): void {
  shown.add(id);
}

/** Called when the page has changed. */
export function closePageNotices(): void {
  for (const id of shown) notifications.hide(id);
  shown.clear();
}
