import type { Migration } from '../migration.ts';

/* Which bytes visitors of folder links reserve: they stop other visitors, and not the owner. */
export const visitorReservations: Migration = {
  name: '0037-visitor-reservations',
  statements: ({ integer, text }) => [
    // No foreign key to the link, which may end while the bytes still arrive.
    `alter table upload_reservation add column folder_link_id ${integer}`,
    // The address of the visitor, as limits count it.
    `alter table upload_reservation add column visitor_address ${text}`,
  ],
};
