import type { Pressure } from '../../../src/content-search/content-search.ts';

/** A machine that has nothing else to do, however busy it is with other tests. */
export const AT_REST: Pressure = { isBusyFor: async () => false, isDiskFull: async () => false };
