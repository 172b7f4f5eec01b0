/** The maximum number of members of a drive. Their list is one answer. */
export const MAX_MEMBERS = 1_000;

/** The maximum number of shared drives of which an account can become a member, without deleted ones. */
export const MAX_SHARED_DRIVES_OF_ACCOUNT = 1_000;

/** The maximum number of shared drives in a list: those that were deleted and restored may come on top. */
export const MAX_LISTED_DRIVES = 2 * MAX_SHARED_DRIVES_OF_ACCOUNT;
