/**
 * COPYING: objects are copied and no blob has changed. SWITCHED: the blobs refer to the target, and the
 * source objects remain to be removed. ABANDONED: the migration failed or was cancelled, and the copies
 * remain to be removed.
 */
export type PolicyMigrationStatus = 'COPYING' | 'SWITCHED' | 'ABANDONED';
