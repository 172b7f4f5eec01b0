import { type Static, Type } from 'typebox';
import { MAX_PAGE_SIZE } from '../../base/page.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { Nullable, pageQuery, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { EntryParams, EntryRecord, shapeFields } from '../contract.ts';
import { MAX_EXCLUSIONS } from './exclusions.ts';
import { MAX_MONTHS } from './timeline.ts';
import { MAX_CURSOR_LENGTH } from './timeline-place.ts';

const filterFields = {
  kind: Type.Optional(Type.Enum(['IMAGE', 'VIDEO'])),
  starred: Type.Optional(Type.Boolean({ description: 'true: only those that the caller has starred' })),
  screenshots: Type.Optional(
    Type.Boolean({ description: 'false: without files whose name begins like that of a screenshot' }),
  ),
};

/** Which pictures and videos are listed or counted. */
const TimelineFilterQuery = Type.Object(filterFields);
export type TimelineFilterQuery = Static<typeof TimelineFilterQuery>;

const TimelineQuery = Type.Object({
  ...filterFields,
  before: Type.Optional(
    Type.String({ maxLength: MAX_CURSOR_LENGTH, description: 'the `next` of an earlier answer' }),
  ),
  page: pageQuery.page,
  size: pageQuery.size,
});

const TimelinePage = Type.Object({
  items: Type.Array(
    Type.Object({
      ...EntryRecord.properties,
      takenAt: Nullable(
        Type.String({
          ...Timestamp,
          description: 'a time without a zone counts as UTC; null if it is unknown',
        }),
      ),
      localTime: Type.String({
        description:
          'the time on the clock where it was taken, in ISO-8601 without a zone, which decides about the place in the timeline',
      }),
      ...shapeFields,
    }),
    { maxItems: MAX_PAGE_SIZE },
  ),
  next: Nullable(Type.String({ description: 'null if this is the end' })),
});

const Months = Type.Array(
  Type.Object({
    month: Type.String({ description: 'such as `2026-11`' }),
    count: Type.Integer(),
    days: Type.Array(Type.Object({ day: Type.Integer({ minimum: 1, maximum: 31 }), count: Type.Integer() }), {
      maxItems: 31,
    }),
  }),
  { maxItems: MAX_MONTHS },
);

export const listTimeline = operation('GET /api/v2/files/timeline', {
  does: 'Lists pictures and videos, the newest first.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: TimelineQuery,
  data: TimelinePage,
  example: { query: { size: 20 } },
});

export const countTimelineByMonth = operation('GET /api/v2/files/timeline/months', {
  does: 'Counts the pictures and videos of each month and day.',
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  query: TimelineFilterQuery,
  data: Months,
  example: {},
});

export const listTimelineExclusions = operation('GET /api/v2/files/timeline/exclusions', {
  does: "Lists the directories that the caller's timeline leaves out, by name.",
  access: 'login',
  appPassword: 'read',
  inDrive: true,
  data: Type.Array(EntryRecord, { maxItems: MAX_EXCLUSIONS }),
  example: {},
});

export const excludeFromTimeline = operation('PUT /api/v2/files/{fileId}/timeline-exclusion', {
  does: "Leaves a directory, with everything below it, out of the caller's timeline.",
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'VIEWER',
  path: EntryParams,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.directory } },
});

export const includeInTimeline = operation('DELETE /api/v2/files/{fileId}/timeline-exclusion', {
  does: "Shows a directory that was left out in the caller's timeline again.",
  access: 'login',
  appPassword: 'write',
  inDrive: true,
  driveRole: 'VIEWER',
  path: EntryParams,
  data: EntryRecord,
  example: { path: { fileId: EXAMPLE.directory } },
});
