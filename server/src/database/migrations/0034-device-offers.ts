import type { Migration } from '../migration.ts';

/*
 * Which login sessions have a browser open now, and which transfer is offered to which of them. Both end by
 * themselves: a session is present until a time that its stream keeps moving on, and an offer ends with its
 * transfer.
 */
export const deviceOffers: Migration = {
  name: '0034-device-offers',
  statements: ({ integer, text }) => [
    `alter table session add column present_until ${integer}`,
    `alter table session add column present_by ${text}`,
    `alter table transfer_session add column offered_to ${text}`,
    `alter table transfer_session add column offered_by ${text}`,
    'create index transfer_session__offered_to on transfer_session (offered_to) where offered_to is not null',
  ],
};
