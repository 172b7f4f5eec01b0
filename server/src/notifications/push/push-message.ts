import type { NotificationKind } from '../../base/domain/notifications.ts';
import { shorten } from '../../base/text/shorten.ts';
import { type Letter, type Site, summarizeLetter } from '../../mail/mail.ts';
import type { PushMessage, Urgency } from './push-client.ts';

/** The payload has at most 3 KiB with these, even if every character has four bytes. */
const MAX_TITLE = 120;
const MAX_TEXT = 400;

/** Phones that save energy show urgent messages first. */
const URGENCY: { readonly [K in NotificationKind]: Urgency } = {
  DRIVE_MEMBER: 'normal',
  LINK_FILES: 'normal',
  TRANSFER_FETCHED: 'normal',
  SHARE_ENDED: 'low',
  SECURITY: 'high',
  DRIVE_FULL: 'normal',
  TASK_FAILED: 'low',
  SERVICE_FAULT: 'high',
};

/** A notification as it is stored. */
interface StoredNotification {
  readonly id: number;
  /** A newer version may have stored others than `NotificationKind`. */
  readonly kind: NotificationKind;
  /** A JSON object. */
  readonly data: string;
}

/**
 * What a browser gets. The service worker shows the title and the text, and opens the address.
 * @param language the one that the recipient prefers (BCP 47), if any
 * @returns undefined for a kind that this version does not know
 */
export function toPushMessage(
  { id, kind, data }: StoredNotification,
  { language, site }: { readonly language: string | null; readonly site: Site },
): PushMessage | undefined {
  const letter: Letter = { kind, ...JSON.parse(data) };
  const summary = summarizeLetter(letter, language, site);
  if (summary === undefined) return undefined;
  const payload = {
    ...{ id, kind },
    title: shorten(summary.title, MAX_TITLE).toWellFormed(),
    text: shorten(summary.text, MAX_TEXT).toWellFormed(),
    url: summary.path,
  };
  return { payload: JSON.stringify(payload), urgency: URGENCY[kind] ?? 'normal', topic: `holdall-${id}` };
}
