import type { Instant } from '../base/clock.ts';
import type { FolderLinkMode } from '../base/domain/folder-links.ts';
import { isExpired } from '../base/expiry.ts';
import { Failure } from '../base/failure.ts';
import type { Entry } from '../drive/drive.ts';
import { passwordRequired } from '../links/links.ts';

/** A link to a directory, and the directory. */
export interface FolderLink {
  readonly id: number;
  readonly token: string;
  readonly driveId: number;
  /** The owner of a personal drive; null for a shared drive. */
  readonly accountId: number | null;
  /** The name of a shared drive; otherwise the owner's display name, or else the username. */
  readonly ownerName: string;
  /** The blob of the owner's profile picture. */
  readonly ownerAvatarId: number | null;
  readonly mode: FolderLinkMode;
  /** What visitors see in place of the directory's name. */
  readonly title: string;
  readonly note: string | null;
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  /** How many files and bytes may be uploaded; null for no limit. */
  readonly maxFiles: number | null;
  readonly maxBytes: number | null;
  readonly receivedFiles: number;
  readonly receivedBytes: number;
  readonly createdAt: Instant;
  readonly directory: Entry;
  /** Whether the directory is in the recycle bin. Only the drive's list includes such links. */
  readonly isInBin: boolean;
}

/** What a visitor wants to do: view the content, or add files. */
export type FolderLinkUse = 'view' | 'upload';

/** @throws Failure `expired` */
export function checkNotExpired(link: FolderLink, now: Instant): void {
  if (isExpired(link.expiresAt, now)) throw new Failure('expired', 'This link has expired.');
}

/** @throws Failure `forbidden` */
export function checkMode({ mode }: FolderLink, use: FolderLinkUse): void {
  if (mode === 'BOTH' || mode === use.toUpperCase()) return;
  throw new Failure(
    'forbidden',
    use === 'view' ? 'This link only takes files.' : 'This link takes no files.',
  );
}

/**
 * Checks that a link that a request opened earlier still allows this use. For example, a new password ends
 * it.
 * @param opened the link as the request opened it
 * @param current the link, read in the transaction that uses it
 * @throws Failure `expired`, `forbidden`
 */
export function checkStillAllowed(
  opened: FolderLink,
  current: FolderLink,
  use: FolderLinkUse,
  now: Instant,
): void {
  checkNotExpired(current, now);
  checkMode(current, use);
  const { passwordHash } = current;
  if (passwordHash !== null && passwordHash !== opened.passwordHash) throw passwordRequired();
}

/** How many more files the link accepts; null for no limit. */
export function remainingFilesOf({ maxFiles, receivedFiles }: FolderLink): number | null {
  return maxFiles === null ? null : Math.max(0, maxFiles - receivedFiles);
}

/** How many more bytes the link accepts; null for no limit. */
export function remainingBytesOf({ maxBytes, receivedBytes }: FolderLink): number | null {
  return maxBytes === null ? null : Math.max(0, maxBytes - receivedBytes);
}

export function noSuchLink(): Failure {
  return new Failure('not-found', 'There is no such link.');
}
