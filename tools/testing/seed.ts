/**
 * Determines every random choice of the tests, so that `HOLDALL_TEST_SEED` repeats a run. It is fixed in the
 * default tier, and new in each run of the others. The runner prints it.
 */
export const SEED = Number(process.env.HOLDALL_TEST_SEED ?? 1);
