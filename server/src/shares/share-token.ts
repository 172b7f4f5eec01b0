import type { ShareKind } from '../base/domain/shares.ts';
import type { Db } from '../database/database.ts';
import { findShare } from './queries.ts';
import { noSuchShare, type Share } from './share.ts';

/** Cannot be guessed. */
export const SHARE_TOKEN_BITS = 128;

/** A text of another form is no token, and needs no query. */
const TOKEN = /^[\w-]{22}$/;

/** @throws Failure `not-found`, also while the entry is in the recycle bin */
export async function getShare(db: Db, kind: ShareKind, token: string): Promise<Share> {
  const share = TOKEN.test(token) ? await findShare(db, kind, token) : undefined;
  if (share === undefined) throw noSuchShare();
  return share;
}
