import type { Migration } from '../migration.ts';

/* Uploads in steps of the files of OFFLINE transfers. */
export const transferUploads: Migration = {
  name: '0040-transfer-uploads',
  statements: ({ text }) => [
    // No foreign keys: the transfer may end before the upload.
    `alter table upload_session add column transfer_id ${text}`,
    `alter table upload_session add column transfer_file_id ${text}`,
    `create index upload_session__transfer_id on upload_session (transfer_id)
      where transfer_id is not null and status in ('CREATED', 'UPLOADING', 'COMPLETING')`,
  ],
};
