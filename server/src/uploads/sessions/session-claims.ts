import type { ObjectClaims } from '../../blobs/blobs.ts';
import { findClaimedKeys, findOldestCreation } from '../queries.ts';

/** The claims of sessions that are unfinished. */
export const sessionClaims: ObjectClaims = { findClaimedKeys, findOldest: findOldestCreation };
