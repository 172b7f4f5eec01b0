// How much of the tests runs. `plan.ts` chooses the files; inside a file, `inFull` and `isLong` choose the tests.
//
//   npm test              default   every rule once: nothing random, nothing timed, within minutes
//   npm test -- --full    full      every engine, theme and width, fresh seeds, fuzz, sampled faults
//   npm test -- --long    long      soaks, a thousand kills, every fault point
//
// Each tier contains the one before it.

export const TIERS = ['default', 'full', 'long'] as const;
export type Tier = (typeof TIERS)[number];

/** The tier of this run. A test file that is started without the runner is in the default tier. */
export const tier: Tier = TIERS.find((one) => one === process.env.HOLDALL_TEST_TIER) ?? 'default';

export const isFull = tier !== 'default';

/**
 * Whether the soaks run at full length. Otherwise they run in a short form, which takes seconds and finds the same
 * kinds of faults, only fewer of them.
 */
export const isLong = tier === 'long';

/** The reason for which the runner leaves out a test that is not in its tier. It does not count as skipped. */
export const ONLY_IN_FULL = 'runs with --full';

/** The options of a test or a `describe` in a default file that runs with `--full` and `--long` only. */
export const inFull: { readonly skip: string | false } = { skip: isFull ? false : ONLY_IN_FULL };
