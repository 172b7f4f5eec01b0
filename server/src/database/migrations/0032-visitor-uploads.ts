import type { Migration } from '../migration.ts';

/*
 * Uploads of visitors end early when nothing arrives, and each visitor may have a few open. Visitors can download
 * several entries as one archive.
 */
export const visitorUploads: Migration = {
  name: '0032-visitor-uploads',
  statements: ({ integer, text }) => [
    // The address of the visitor, as limits count it.
    `alter table upload_session add column visitor_address ${text}`,
    // When the session ends at the latest. Null for those of owners, whose expiry never moves.
    `alter table upload_session add column ends_at ${integer}`,
    // A ticket of a visitor has paths below the link, and no ids. No foreign key: without its link it is
    // useless.
    `alter table zip_ticket add column folder_link_id ${integer}`,
    `alter table zip_ticket add column paths ${text}`,
  ],
};
