import type { Migration } from '../migration.ts';

export const uploadReservations: Migration = {
  name: '0012-upload-reservations',
  statements: ({ integer, text }) => [
    // No foreign key to the transfer, which may end while its bytes still arrive.
    `create table upload_reservation (
      id ${text} primary key,
      owner_id ${integer} not null references account (id),
      transfer_id ${text},
      bytes ${integer} not null check (bytes >= 0),
      expires_at ${integer} not null
    )`,
    'create index upload_reservation__owner_id on upload_reservation (owner_id, expires_at, bytes)',
    `create index transfer_session__uploading on transfer_session (created_at)
      where mode = 'OFFLINE' and status = 'UPLOADING'`,
  ],
};
