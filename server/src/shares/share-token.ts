import type { ShareKind } from '../base/domain/shares.ts';
import type { Db } from '../database/database.ts';
import { isLinkToken } from '../links/links.ts';
import { findShare } from './queries.ts';
import { noSuchShare, type Share } from './share.ts';

/** @throws Failure `not-found`, even while the entry is in the recycle bin */
export async function getShare(db: Db, kind: ShareKind, token: string): Promise<Share> {
  const share = isLinkToken(token) ? await findShare(db, kind, token) : undefined;
  if (share === undefined) throw noSuchShare();
  return share;
}
