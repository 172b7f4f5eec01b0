import { toLocalTime } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { driveIdOf } from '../../http/chosen-drive.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drive } from '../drive.ts';
import { countTimelineByMonth, listTimeline, type TimelineFilterQuery } from './contract.ts';
import type { TimelineFilter } from './queries.ts';
import { fromCursor, toCursor } from './timeline-place.ts';

export function timelineRoutes(
  server: Server,
  { timeline, records }: Pick<Drive, 'timeline' | 'records'>,
): void {
  mount(server, listTimeline, async (request, reply) => {
    const { before, page, size } = request.query;
    const place = before === undefined ? undefined : fromCursor(before);
    const part = toPageRequest({
      ...(page === undefined ? {} : { page }),
      ...(size === undefined ? {} : { size }),
    });
    const filter = toFilter(request.query, callerOf(request));
    const signal = clientSignalOf(reply);
    const { items, last } = await timeline.list(driveIdOf(request), filter, place, part, signal);
    return {
      items: await records.toRecords(callerOf(request), items, ({ takenAt, localTime, shape }) => ({
        takenAt: takenAt === null ? null : toTimestamp(takenAt),
        localTime: toLocalTime(localTime),
        ...shape,
      })),
      next: last === undefined ? null : toCursor(last),
    };
  });

  mount(server, countTimelineByMonth, async (request, reply) => {
    const filter = toFilter(request.query, callerOf(request));
    const months = await timeline.countByMonth(driveIdOf(request), filter, clientSignalOf(reply));
    return months.map((month) => ({ ...month, days: [...month.days] }));
  });
}

function toFilter(
  { kind, starred, screenshots }: TimelineFilterQuery,
  { accountId }: { readonly accountId: number },
): TimelineFilter {
  return {
    kind,
    starredBy: starred === true ? accountId : undefined,
    withoutScreenshots: screenshots === false,
  };
}
