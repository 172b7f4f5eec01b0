import type { Migration } from '../migration.ts';

export const events: Migration = {
  name: '0007-events',
  statements: () => [
    // Every change of a drive wrote to it. Old events are found by their numbers, which grow with their time.
    'drop index event__created_at',
  ],
};
