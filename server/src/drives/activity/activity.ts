import { Turns } from '../../base/concurrency/turns.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import { offsetOf, type Page, type PageRequest } from '../../base/page.ts';
import type { Events, PastEvent } from '../../events/events.ts';
import type { Drives } from '../drives.ts';
import { type ActivityGroup, ActivityGroups } from './activity-groups.ts';

/** The maximum number of changes that are grouped. Older ones are not listed. */
const MAX_CHANGES = 5_000;
const CHANGES_PER_STATEMENT = 500;
/** The maximum number of drives whose groups are kept. Those of a drive take up to 300 KB. */
const MAX_KEPT = 20;

/** A page's item: the newest change of a group, and the number of its changes. */
export interface ActivityItem {
  readonly newest: PastEvent;
  readonly count: number;
}

/** All groups of a drive, which are valid while these two changes are its newest one and its oldest one. */
interface KnownGroups {
  readonly newestId: number | null;
  readonly oldestId: number;
  readonly groups: readonly ActivityGroup[];
}

/** Who changed what in shared drives. */
export class DriveActivity {
  readonly #drives: Drives;
  readonly #events: Events;
  /** The groups of the drives that were asked for last, so that only the first page reads all changes. */
  readonly #known = new Map<number, KnownGroups>();

  constructor({ drives, events }: { drives: Drives; events: Events }) {
    this.#drives = drives;
    this.#events = events;
  }

  /**
   * One page of the newest changes. The total counts the groups among the newest 5,000 changes.
   * @throws Failure as `Members.checkCaller`
   */
  async list(caller: AccountInDrive, driveId: number, page: PageRequest): Promise<Page<ActivityItem>> {
    await this.#drives.members.checkCaller(caller, driveId, 'VIEWER', 'A personal drive has no activity.');
    const { groups } = await this.#getGroups(driveId);
    const offset = offsetOf(page);
    const wanted = groups.slice(offset, offset + page.size);
    return {
      items: await this.#toItems(wanted),
      total: groups.length,
      ...{ page: page.page, size: page.size },
    };
  }

  async #toItems(groups: readonly ActivityGroup[]): Promise<readonly ActivityItem[]> {
    const counts = new Map(groups.map(({ id, count }) => [id, count]));
    const found = await this.#events.findChangesByIds([...counts.keys()]);
    return found.map((newest) => ({ newest, count: counts.get(newest.id) ?? 1 }));
  }

  async #getGroups(driveId: number): Promise<KnownGroups> {
    const known = this.#known.get(driveId);
    this.#known.delete(driveId);
    const groups =
      known !== undefined && (await this.#isValid(driveId, known)) ? known : await this.#group(driveId);
    const [longestUnused] = this.#known.keys();
    if (this.#known.size >= MAX_KEPT && longestUnused !== undefined) this.#known.delete(longestUnused);
    this.#known.set(driveId, groups);
    return groups;
  }

  /** Changes are only added at one end, and deleted at the other one. */
  async #isValid(driveId: number, { newestId, oldestId }: KnownGroups): Promise<boolean> {
    const { newest, hasOlder } = await this.#events.findNewestChange(driveId, oldestId);
    return newest === newestId && (newest === null || hasOlder);
  }

  async #group(driveId: number): Promise<KnownGroups> {
    const groups = new ActivityGroups();
    const turns = new Turns();
    let newestId: number | null = null;
    let before = Number.MAX_SAFE_INTEGER;
    for (let read = 0; read < MAX_CHANGES; read += CHANGES_PER_STATEMENT) {
      if (turns.isOver()) await turns.next();
      const found = await this.#events.findChangesBefore(driveId, before, CHANGES_PER_STATEMENT);
      for (const change of found) groups.add(change);
      newestId ??= found[0]?.id ?? null;
      before = found.at(-1)?.id ?? before;
      if (found.length < CHANGES_PER_STATEMENT) break;
    }
    return { newestId, oldestId: before, groups: groups.all };
  }
}
