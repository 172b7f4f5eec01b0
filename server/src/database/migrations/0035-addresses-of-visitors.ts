import type { Migration } from '../migration.ts';

/*
 * The address of a visitor is stored while the session is open. The sums that limit the open sessions of a drive read
 * the index only, which needs the status for that: SQLite compares it again.
 */
export const addressesOfVisitors: Migration = {
  name: '0035-addresses-of-visitors',
  statements: () => [
    `update upload_session set visitor_address = null
      where status in ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED') and visitor_address is not null`,
    'drop index upload_session__open',
    `create index upload_session__open
      on upload_session (owner_id, expires_at, size, folder_link_id, visitor_address, status)
      where status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
  ],
};
