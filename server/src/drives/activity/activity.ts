import { Turns } from '../../base/concurrency/turns.ts';
import { Failure } from '../../base/failure.ts';
import { offsetOf, type Page, type PageRequest } from '../../base/page.ts';
import type { Events } from '../../events/events.ts';
import type { Drives } from '../drives.ts';
import { noDrive } from '../usage/usage.ts';
import { type ActivityGroup, ActivityGroups } from './activity-groups.ts';

/** The maximum number of events that an answer reads. Older ones are not listed. */
const MAX_EVENTS = 5_000;
const EVENTS_PER_STATEMENT = 500;

/** Who changed what in shared drives. */
export class DriveActivity {
  readonly #drives: Drives;
  readonly #events: Events;

  constructor({ drives, events }: { drives: Drives; events: Events }) {
    this.#drives = drives;
    this.#events = events;
  }

  /**
   * One page of the newest changes. The total counts the groups among the newest 5,000 events.
   * @throws Failure `forbidden` for the caller's personal drive; `not-found` if the caller is not a member
   */
  async list(
    caller: { readonly accountId: number; readonly driveId: number },
    driveId: number,
    page: PageRequest,
  ): Promise<Page<ActivityGroup>> {
    if (driveId === caller.driveId) throw new Failure('forbidden', 'A personal drive has no activity.');
    const role = await this.#drives.findRole({ driveId, accountId: caller.accountId });
    if (role === undefined) throw noDrive();
    const groups = await this.#group(driveId);
    const offset = offsetOf(page);
    return {
      items: groups.slice(offset, offset + page.size),
      total: groups.length,
      ...{ page: page.page, size: page.size },
    };
  }

  async #group(driveId: number): Promise<readonly ActivityGroup[]> {
    const groups = new ActivityGroups();
    const turns = new Turns();
    let before = Number.MAX_SAFE_INTEGER;
    for (let read = 0; read < MAX_EVENTS; read += EVENTS_PER_STATEMENT) {
      if (turns.isOver()) await turns.next();
      const found = await this.#events.findBefore(driveId, before, EVENTS_PER_STATEMENT);
      for (const event of found) {
        // Stars are nobody else's business.
        if (event.readerId === null) groups.add(event);
        before = event.id;
      }
      if (found.length < EVENTS_PER_STATEMENT) break;
    }
    return groups.all;
  }
}
