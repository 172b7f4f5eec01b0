import type { Migration } from '../migration.ts';

/* Transfers that the sender's page encrypts. A session is encrypted if it has a salt. */
export const encryptedTransfers: Migration = {
  name: '0029-encrypted-transfers',
  statements: ({ text }) => [
    `alter table transfer_session add column salt ${text}`,
    `alter table transfer_file add column encrypted_name ${text}`,
  ],
};
