import { toLocalTime } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { actorOf } from '../../http/chosen-drive.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drive } from '../drive.ts';
import {
  countTimelineByMonth,
  excludeFromTimeline,
  includeInTimeline,
  listTimeline,
  listTimelineExclusions,
  type TimelineFilterQuery,
} from './contract.ts';
import type { TimelineFilter } from './queries.ts';
import { fromCursor, toCursor } from './timeline-place.ts';

export function timelineRoutes(
  server: Server,
  { timeline, timelineExclusions, records }: Pick<Drive, 'timeline' | 'timelineExclusions' | 'records'>,
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
    const { items, last } = await timeline.list(actorOf(request), filter, place, part, signal);
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
    const months = await timeline.countByMonth(actorOf(request), filter, clientSignalOf(reply));
    return months.map((month) => ({ ...month, days: [...month.days] }));
  });

  mount(server, listTimelineExclusions, async (request) => {
    const excluded = await timelineExclusions.list(actorOf(request));
    return records.toRecords(callerOf(request), excluded, () => ({}));
  });

  mount(server, excludeFromTimeline, async (request) => {
    const changed = await timelineExclusions.set(actorOf(request), request.params.fileId, true);
    return records.toRecord(callerOf(request), changed);
  });

  mount(server, includeInTimeline, async (request) => {
    const changed = await timelineExclusions.set(actorOf(request), request.params.fileId, false);
    return records.toRecord(callerOf(request), changed);
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
