import type { Instant } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import { childOf, type LogicalPath } from '../base/text/names/logical-path.ts';
import type { Entry, MediaShape } from '../drive/drive.ts';
import { type LinkOrigin, toOwnerAvatarMember } from '../links/links.ts';
import { thumbnailVersionOf } from '../thumbnails/thumbnails.ts';
import type { FolderLinkRecord, LinkedEntry, PublicFolderLink } from './contract.ts';
import { type FolderLink, remainingBytesOf, remainingFilesOf } from './folder-link.ts';

/** A link with its directory's path in the drive; null while the directory is in the recycle bin. */
export interface FolderLinkWithPath {
  readonly link: FolderLink;
  readonly directoryPath: LogicalPath | null;
}

export function toLinkRecord(
  { link, directoryPath }: FolderLinkWithPath,
  origin: LinkOrigin,
): FolderLinkRecord {
  return {
    id: link.id,
    token: link.token,
    directoryId: link.directory.id,
    directoryPath,
    inBin: link.isInBin,
    mode: link.mode,
    title: link.title,
    note: link.note,
    passwordProtected: link.passwordHash !== null,
    expiresAt: toTimestampOrNull(link.expiresAt),
    maxFiles: link.maxFiles,
    maxBytes: link.maxBytes,
    receivedFiles: link.receivedFiles,
    receivedBytes: link.receivedBytes,
    createdAt: toTimestamp(link.createdAt),
    ...origin,
  };
}

export function toPublicLink(link: FolderLink, isVerified: boolean): PublicFolderLink {
  return {
    token: link.token,
    mode: link.mode,
    title: link.title,
    note: link.note,
    ownerName: link.ownerName,
    ...(isVerified && toOwnerAvatarMember(`/api/v2/folder-links/${link.token}`, link.ownerAvatarId)),
    passwordRequired: link.passwordHash !== null,
    passwordVerified: isVerified,
    expiresAt: toTimestampOrNull(link.expiresAt),
    remainingFiles: remainingFilesOf(link),
    remainingBytes: remainingBytesOf(link),
  };
}

/** @param directory the path of the entry's directory, relative to the link */
export function toLinkedEntry(entry: Entry, directory: LogicalPath, shape: MediaShape): LinkedEntry {
  return {
    name: entry.name,
    path: childOf(directory, entry.name),
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    modifiedAt: toTimestamp(entry.modifiedAt),
    thumbnailVersion: thumbnailVersionOf(entry),
    ...shape,
  };
}

function toTimestampOrNull(instant: Instant | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
