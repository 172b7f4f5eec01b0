import { Type } from 'typebox';
import { toLocalTime } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { MAX_PAGE_SIZE, toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { enveloped, success } from '../../http/envelope.ts';
import { Nullable, pageQuery, Timestamp } from '../../http/fields.ts';
import type { Server } from '../../http/server.ts';
import { EntryRecord } from '../contract.ts';
import { toRecord } from '../entries/entry.ts';
import { MAX_MONTHS, type Timeline } from './timeline.ts';
import { fromCursor, MAX_CURSOR_LENGTH, toCursor } from './timeline-place.ts';

const TimelineQuery = Type.Object({
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

export function timelineRoutes(server: Server, timeline: Timeline): void {
  const config = { access: 'login', appPassword: 'read' } as const;

  server.get(
    '/api/v2/files/timeline',
    { config, schema: { querystring: TimelineQuery, response: enveloped(TimelinePage) } },
    async (request, reply) => {
      const { before, page, size } = request.query;
      const place = before === undefined ? undefined : fromCursor(before);
      const part = toPageRequest({
        ...(page === undefined ? {} : { page }),
        ...(size === undefined ? {} : { size }),
      });
      const { items, last } = await timeline.list(
        callerOf(request).accountId,
        place,
        part,
        clientSignalOf(reply),
      );
      return success({
        items: items.map(({ takenAt, localTime, ...file }) => ({
          ...toRecord(file),
          takenAt: takenAt === null ? null : toTimestamp(takenAt),
          localTime: toLocalTime(localTime),
        })),
        next: last === undefined ? null : toCursor(last),
      });
    },
  );

  server.get(
    '/api/v2/files/timeline/months',
    { config, schema: { response: enveloped(Months) } },
    async (request, reply) => {
      const months = await timeline.countByMonth(callerOf(request).accountId, clientSignalOf(reply));
      return success(months.map((month) => ({ ...month, days: [...month.days] })));
    },
  );
}
