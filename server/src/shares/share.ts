import type { Instant } from '../base/clock.ts';
import { isExpired } from '../base/expiry.ts';
import { Failure } from '../base/failure.ts';
import type { Entry } from '../drive/drive.ts';
import type { ObjectLocation } from '../policies/policies.ts';

/** A v2 share or a legacy link, with the live entry that it shows. */
export interface Share {
  readonly id: number;
  readonly token: string;
  readonly driveId: number;
  /** The owner of a personal drive; null for a shared drive. */
  readonly ownerId: number | null;
  readonly ownerUsername: string;
  /** The blob of the owner's profile picture. */
  readonly ownerAvatarId: number | null;
  /** Null for legacy links, which show the entry's name. */
  readonly shareName: string | null;
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  /** The budget for downloads and imports together; null for no limit. */
  readonly maxDownloads: number | null;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
  /** The number of downloads and imports so far. */
  readonly downloadCount: number;
  readonly viewCount: number;
  readonly createdAt: Instant;
  readonly entry: Entry;
  /** Where the bytes are stored; null for a directory. */
  readonly location: ObjectLocation | null;
}

export function isExhausted({ maxDownloads, downloadCount }: Share): boolean {
  return maxDownloads !== null && downloadCount >= maxDownloads;
}

/** @throws Failure `expired` */
export function checkNotExpired(share: Share, now: Instant): void {
  if (isExpired(share.expiresAt, now)) throw new Failure('expired', 'This share has expired.');
}

/** @throws Failure `expired` if the share has expired or its budget is spent */
export function checkUsable(share: Share, now: Instant): void {
  checkNotExpired(share, now);
  if (isExhausted(share)) throw new Failure('expired', 'This share has been used as often as it may be.');
}

export function noSuchShare(): Failure {
  return new Failure('not-found', 'There is no such share.');
}
