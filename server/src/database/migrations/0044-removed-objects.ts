import type { Migration } from '../migration.ts';

/*
 * The keys of orphaned objects that a sweep has removed. An upload that stored its object long ago looks here
 * before it refers to the object.
 */
export const removedObjects: Migration = {
  name: '0044-removed-objects',
  statements: ({ integer, text }) => [
    `create table removed_object (
      object_key ${text} not null primary key,
      expires_at ${integer} not null
    )`,
    'create index removed_object__expires_at on removed_object (expires_at)',
  ],
};
