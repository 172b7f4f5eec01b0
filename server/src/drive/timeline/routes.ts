import { toLocalTime } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { toPageRequest } from '../../base/page.ts';
import { callerOf } from '../../http/caller.ts';
import { driveIdOf } from '../../http/chosen-drive.ts';
import { clientSignalOf } from '../../http/client-signal.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import type { Drive } from '../drive.ts';
import { countTimelineByMonth, listTimeline } from './contract.ts';
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
    const { items, last } = await timeline.list(driveIdOf(request), place, part, clientSignalOf(reply));
    return {
      items: await records.toRecords(callerOf(request), items, ({ takenAt, localTime }) => ({
        takenAt: takenAt === null ? null : toTimestamp(takenAt),
        localTime: toLocalTime(localTime),
      })),
      next: last === undefined ? null : toCursor(last),
    };
  });

  mount(server, countTimelineByMonth, async (request, reply) => {
    const months = await timeline.countByMonth(driveIdOf(request), clientSignalOf(reply));
    return months.map((month) => ({ ...month, days: [...month.days] }));
  });
}
