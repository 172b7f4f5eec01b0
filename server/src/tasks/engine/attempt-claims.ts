import { endOfMinuteOfKey, type ObjectClaims } from '../../blobs/blobs.ts';
import { findOldestStart } from './queries.ts';

/** The claims of the attempts that run. */
export const attemptClaims: ObjectClaims = {
  /** All keys since the attempt that has run longest began, since nobody knows which of them it was. */
  findClaimedKeys: async (db, keys) => {
    const oldest = await findOldestStart(db);
    return oldest === undefined ? [] : keys.filter((key) => endOfMinuteOfKey(key) > oldest);
  },
  /** When the attempt that has run longest began. */
  findOldest: findOldestStart,
};
