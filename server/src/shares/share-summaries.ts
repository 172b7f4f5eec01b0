import type { Clock } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import { isExpired } from '../base/expiry.ts';
import type { Drive } from '../drive/drive.ts';
import type { Caller } from '../http/caller.ts';
import { type LinkCreators, toOwnerAvatarMember } from '../links/links.ts';
import { thumbnailVersionOf } from '../thumbnails/thumbnails.ts';
import type { ShareSummary } from './contract.ts';
import { isExhausted, type Share } from './share.ts';

interface ShareSummariesParts {
  readonly drive: Drive;
  readonly creators: LinkCreators;
  readonly clock: Clock;
}

/** Builds the summaries of shares, for the users of their drives and for the public. */
export class ShareSummaries {
  readonly #parts: ShareSummariesParts;

  constructor(parts: ShareSummariesParts) {
    this.#parts = parts;
  }

  /**
   * For visitors without the required password, the summary says nothing about the file except the share's
   * name.
   */
  forPublic(share: Share, { isVerified }: { isVerified: boolean }): ShareSummary {
    const summary = this.#toSummary(share, isVerified);
    return isVerified ? { ...summary, file: toPublicFile(share) } : summary;
  }

  async forUser(viewer: Caller, share: Share): Promise<ShareSummary> {
    const [summary] = await this.forUserOfAll(viewer, [share]);
    return summary ?? this.forPublic(share, { isVerified: true });
  }

  /** For those who may use the drive, with the paths of the files. */
  async forUserOfAll(viewer: Caller, shares: readonly Share[]): Promise<readonly ShareSummary[]> {
    const { creators, drive } = this.#parts;
    const { listing, records } = drive;
    const placed = await listing.resolvePaths(shares.map((share) => share.entry));
    const page = await records.toRecords(viewer, placed, () => ({}));
    const byId = new Map(page.map((record) => [record.id, record]));
    const originOf = await creators.find(viewer, shares);
    return shares.map((share) => ({
      ...this.#toSummary(share, true),
      ...originOf(share),
      file: byId.get(share.entry.id) ?? toPublicFile(share),
    }));
  }

  #toSummary(share: Share, isVerified: boolean): ShareSummary {
    const expired = isExpired(share.expiresAt, this.#parts.clock.now());
    const exhausted = isExhausted(share);
    const hasAvatar = isVerified && !expired && !exhausted;
    return {
      id: share.id,
      token: share.token,
      shareName: share.shareName ?? share.entry.name,
      ownerUsername: share.ownerUsername,
      ...(hasAvatar && toOwnerAvatarMember(`/api/v2/shares/${share.token}`, share.ownerAvatarId)),
      passwordRequired: share.passwordHash !== null,
      passwordVerified: isVerified,
      allowImport: share.allowImport,
      allowDownload: share.allowDownload,
      maxDownloads: share.maxDownloads,
      downloadCount: share.downloadCount,
      viewCount: share.viewCount,
      expiresAt: share.expiresAt === null ? null : toTimestamp(share.expiresAt),
      expired,
      exhausted,
      createdAt: toTimestamp(share.createdAt),
    };
  }
}

function toPublicFile({ entry }: Share) {
  return {
    id: entry.id,
    filename: entry.name,
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    createdAt: toTimestamp(entry.createdAt),
    updatedAt: toTimestamp(entry.updatedAt),
    modifiedAt: toTimestamp(entry.modifiedAt),
    thumbnailVersion: thumbnailVersionOf(entry),
  };
}
