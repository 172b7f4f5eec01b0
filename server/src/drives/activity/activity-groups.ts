import { type Instant, MINUTE } from '../../base/clock.ts';
import { type LogicalPath, parentOf, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { PastEvent } from '../../events/events.ts';

/** Equal changes that one person made within a minute in one directory. */
export interface ActivityGroup {
  /** The newest change. */
  readonly id: number;
  readonly count: number;
}

interface OpenGroup {
  readonly id: number;
  readonly createdAt: Instant;
  count: number;
}

/** Groups the events of a drive. Other changes may lie between those of a group. */
export class ActivityGroups {
  readonly #groups: OpenGroup[] = [];
  /** The last group of each key, which later events may join. */
  readonly #open = new Map<string, OpenGroup>();

  /** The groups so far, the newest first. */
  get all(): readonly ActivityGroup[] {
    return this.#groups;
  }

  /** Adds an event that is older than those added before. */
  add(event: PastEvent): void {
    const key = keyOf(event);
    const group = this.#open.get(key);
    if (group !== undefined && isWithinMinute(event.createdAt, group.createdAt)) {
      group.count += 1;
      return;
    }
    const opened = { id: event.id, createdAt: event.createdAt, count: 1 };
    this.#groups.push(opened);
    this.#open.set(key, opened);
  }
}

/** Clocks of several instances differ, so an event with a smaller id may even be the later one. */
function isWithinMinute(at: Instant, newest: Instant): boolean {
  return newest - at <= MINUTE;
}

function keyOf({ eventType, actorId, actorName, ...event }: PastEvent): string {
  return JSON.stringify([eventType, actorId, actorName, directoryOf(event)]);
}

function directoryOf({ toPath, fromPath }: Pick<PastEvent, 'toPath' | 'fromPath'>): string {
  const path = toPath ?? fromPath;
  // Paths in events were valid when they were recorded.
  return path === null || path === ROOT_PATH ? ROOT_PATH : parentOf(path as LogicalPath);
}
