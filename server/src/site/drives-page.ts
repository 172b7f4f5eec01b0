import type { IncomingMessage } from 'node:http';
import { acceptsHtml } from '../http/accepts-html.ts';

/** The first segment of the URLs of shared drives, which people open as pages and programs use by WebDAV. */
export const DRIVES = 'drives';

const DRIVES_URL = /^\/drives(?:[/?]|$)/;

/** Whether a URL belongs to shared drives. */
export function isDrivesUrl(url: string): boolean {
  return DRIVES_URL.test(url);
}

/** Whether a person opens the page at a URL of shared drives, as opposed to a program that logs in there. */
export function isDrivesPage({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  return isDrivesUrl(url) && headers.authorization === undefined && acceptsHtml({ headers });
}
