export type PolicyMigrationStatus = 'COPYING' | 'SWITCHED' | 'ABANDONED';
