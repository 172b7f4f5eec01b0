// How many of the tests run. `plan.ts` chooses the files; inside a file, `inFull` and `isLong` choose the
// tests.
//
// npm test              default   every rule once: nothing random, nothing timed, within minutes
// npm test -- --full    full      every engine, theme and width, fresh seeds, fuzz, sampled faults
// npm test -- --long    long      soaks, a thousand kills, every fault point
//
// Each tier contains the one before it.

export const TIERS = ['default', 'full', 'long'] as const;
export type Tier = (typeof TIERS)[number];

/** The tier of this run. It is the default tier if a test file is started without the runner. */
export const tier: Tier = TIERS.find((one) => one === process.env.HOLDALL_TEST_TIER) ?? 'default';

export const isFull = tier !== 'default';

/**
 * Whether the soaks run at full length. Otherwise they run in a short form. It takes seconds and finds the
 * same kinds of faults, but fewer of them.
 */
export const isLong = tier === 'long';

/** The skip reason for tests outside the tier. The runner does not count these as skipped. */
export const ONLY_IN_FULL = 'runs with --full';

/** The options for a test or `describe` in a default file that runs only with `--full` and `--long`. */
export const inFull: { readonly skip: string | false } = { skip: isFull ? false : ONLY_IN_FULL };
