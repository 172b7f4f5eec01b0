import type { Migration } from '../migration.ts';

/* A ticket for a ZIP archive ends with the login session or the app password that made it. */
export const ticketHolders: Migration = {
  name: '0042-ticket-holders',
  statements: ({ text }) => [
    `alter table zip_ticket add column session_id ${text}`,
    // It is not known who made them.
    'delete from zip_ticket where folder_link_id is null',
  ],
};
