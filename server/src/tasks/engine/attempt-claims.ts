import { endOfMinuteOfKey, type ObjectClaims } from '../../blobs/blobs.ts';
import { findOldestStart } from './queries.ts';

/** Claims the objects of running attempts, so that they are not removed. */
export const attemptClaims: ObjectClaims = {
  /** Claims all keys created since the oldest running attempt began, because keys do not name their task. */
  findClaimedKeys: async (db, keys) => {
    const oldest = await findOldestStart(db);
    return oldest === undefined ? [] : keys.filter((key) => endOfMinuteOfKey(key) > oldest);
  },
  /** When the oldest running attempt began. */
  findOldest: findOldestStart,
};
