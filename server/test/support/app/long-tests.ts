/**
 * Whether the soaks run at full length: with `npm test -- --long`. Otherwise they run in a short form, which takes
 * seconds and finds the same kinds of faults, only fewer of them.
 */
export const isLong = process.env.HOLDALL_TEST_LONG !== undefined;
