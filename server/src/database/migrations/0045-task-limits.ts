import type { Migration } from '../migration.ts';

/*
 * Limits unfinished tasks: one that reads the metadata of a file, and a number for each account. Automatic
 * tasks are outside of that number.
 */
export const taskLimits: Migration = {
  name: '0045-task-limits',
  statements: ({ integer }) => [
    `alter table task add column is_automatic ${integer} not null default 0 check (is_automatic in (0, 1))`,
    `update task set is_automatic = 1
      where type = 'MEDIA_META' and correlation_id like 'media-meta:auto:%'`,
    // The first task of a file reads its present content, so the others are superfluous.
    `delete from task where type = 'MEDIA_META' and status in ('QUEUED', 'RUNNING') and id not in (
      select min(id) from task where type = 'MEDIA_META' and status in ('QUEUED', 'RUNNING') group by entry_id
    )`,
    `create unique index task__unfinished_media on task (entry_id)
      where type = 'MEDIA_META' and status in ('QUEUED', 'RUNNING')`,
    `create index task__media on task (entry_id) where type = 'MEDIA_META'`,
    `create index task__counted on task (owner_id)
      where is_automatic = 0 and status in ('QUEUED', 'RUNNING')`,
  ],
};
