import type { Migration } from '../migration.ts';

export const events: Migration = {
  name: '0007-events',
  statements: () => [
    // Every change of a drive had to write this index. Old events are found by their ids, which grow with
    // time.
    'drop index event__created_at',
  ],
};
