import type { ObjectClaims } from '../blobs/blobs.ts';
import { findClaimedKeys, findOldestCreation } from './queries.ts';

/** The claims of tickets that have not been taken: until then what was stored for one is no blob. */
export const ticketClaims: ObjectClaims = { findClaimedKeys, findOldest: findOldestCreation };
