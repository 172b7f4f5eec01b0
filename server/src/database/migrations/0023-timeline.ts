import type { Migration } from '../migration.ts';

/*
 * The pictures and videos of an owner, in the order of the timeline. The index has all columns of the conditions
 * too, so that counting reads no table rows. `drive/timeline/queries.ts` repeats its conditions literally, because
 * only then do the planners use it. Files whose metadata was read earlier keep their `modified_at` as their place,
 * because it is not known whether the time is among what was read.
 */
export const timeline: Migration = {
  name: '0023-timeline',
  statements: ({ integer }) => [
    `alter table entry add column taken_at ${integer}`,
    `create index entry__timeline on entry
        (owner_id, (coalesce(taken_at, modified_at)) desc, id desc, taken_at, modified_at, content_type, deleted_at)
      where deleted_at is null and (content_type >= 'image/' and content_type < 'image0'
        or content_type >= 'video/' and content_type < 'video0')`,
  ],
};
