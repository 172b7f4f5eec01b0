import type { Clock } from '../base/clock.ts';
import { isExpired } from '../base/expiry.ts';
import { Failure } from '../base/failure.ts';
import { formatBytes } from '../base/format-bytes.ts';
import type { Database } from '../database/database.ts';
import type { FindLinkPreview, LinkPreview } from '../http/link-preview.ts';
import { thumbnailVersionOf } from '../thumbnails/thumbnails.ts';
import { isExhausted, type Share } from './share.ts';
import { getShare } from './share-token.ts';

/** The kinds of shares, by the first segment of their pages' addresses. */
const KINDS = { s: 'V2', l: 'LEGACY' } as const;

/**
 * Finds what a stranger can see of a share before opening its page. It does not count as a view. A share that
 * has a password or no longer works has no preview.
 */
export function findSharePreviews(parts: {
  database: Database;
  clock: Clock;
  /** The origin of this service. */
  baseUrl: () => string;
}): FindLinkPreview {
  const { database, clock, baseUrl } = parts;
  return async ({ name, key }) => {
    const kind = name === 's' || name === 'l' ? KINDS[name] : undefined;
    const share = kind && (await getShare(database.db, kind, key).catch(ignoreFailure));
    if (share === undefined || share.passwordHash !== null) return undefined;
    if (isExpired(share.expiresAt, clock.now()) || isExhausted(share)) return undefined;
    return toPreview(share, baseUrl());
  };
}

/** Without a preview the page still opens, and then says what is wrong. */
function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

function toPreview({ token, shareName, entry, ownerUsername }: Share, baseUrl: string): LinkPreview {
  const version = shareName === null ? null : thumbnailVersionOf(entry);
  const what = entry.isDirectory ? 'Folder' : formatBytes(entry.size);
  return {
    title: shareName ?? entry.name,
    description: `${what}, shared by ${ownerUsername}`,
    // Legacy links have no address for a picture.
    imageUrl:
      version === null
        ? undefined
        : `${baseUrl}/api/v2/shares/${token}/thumbnail?size=1024&v=${encodeURIComponent(version)}`,
  };
}
