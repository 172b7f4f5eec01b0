/**
 * What happens if the name of an entry is taken at its new place: the request fails, the entry gets a free
 * name, or the existing entry moves to the recycle bin.
 */
export const CONFLICT_RULES = ['FAIL', 'RENAME', 'REPLACE'] as const;
export type ConflictRule = (typeof CONFLICT_RULES)[number];
