import type { FolderLinkRecord, Page } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';

/** Only this many of the newest links are read. Few users have more. */
const NEWEST = 1_000;

/** The newest folder links of the user, or of a shared drive. */
export function newestFolderLinksQuery(drive: DriveId) {
  return {
    queryKey: [...KEYS.shares(driveKey(drive)), 'folder-links'],
    // The tokens are always present here: they are hidden from app passwords only.
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      ask('GET /api/v2/folder-links/mine', { query: { size: NEWEST }, drive, signal }) as Promise<
        Page<FolderLinkRecord>
      >,
  } as const;
}

/** Whether the link still works. @param now milliseconds since 1970 */
export function isLinkWorking(link: FolderLinkRecord, now: number): boolean {
  return !link.inBin && !isExpired(link, now);
}

/** @param now milliseconds since 1970 */
export function isExpired({ expiresAt }: FolderLinkRecord, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}
