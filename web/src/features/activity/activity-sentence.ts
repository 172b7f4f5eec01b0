import type { DataOf } from '../../../../client/src/client.ts';
import { isWithin, nameOf, parentOf } from '../../common/names/drive-paths.ts';

/** Equal changes that one person made within a minute in one folder. */
export type ActivityItem = DataOf<'GET /api/v2/drives/{id}/activity'>['items'][number];

const KINDS = {
  CREATED: 'created',
  UPDATED: 'updated',
  RENAMED: 'renamed',
  MOVED: 'moved',
  DELETED: 'deleted',
  RESTORED: 'restored',
  PURGED: 'purged',
} as const;

/** The kind of a change, as in the keys of its sentences. Unknown kinds count as modifications. */
export function changeKindOf({ eventType }: Pick<ActivityItem, 'eventType'>) {
  return isKnown(eventType) ? KINDS[eventType] : 'updated';
}

/** The names in the sentence about a change. An empty name is that of the drive itself. */
export function namesIn({ path, fromPath, count }: Pick<ActivityItem, 'path' | 'fromPath' | 'count'>) {
  const folder = path === null ? '' : nameOf(parentOf(path));
  return {
    count,
    name: path === null ? '' : nameOf(path),
    folder,
    before: fromPath === null ? '' : nameOf(fromPath),
    fromFolder: fromPath === null ? folder : nameOf(parentOf(fromPath)),
  };
}

/**
 * Who made a change. A visitor has a name but no account. The server itself has neither: it deletes what has
 * been in the bin for too long.
 */
export function actorKindOf({
  accountId,
  displayName,
}: Pick<ActivityItem, 'accountId' | 'displayName'>): 'member' | 'visitor' | 'gone' | 'service' {
  if (accountId !== null) return displayName === null ? 'gone' : 'member';
  return displayName === null ? 'service' : 'visitor';
}

/** Whether a change happened in the directory, or moved or renamed something there. */
export function isIn(
  { path, fromPath }: Pick<ActivityItem, 'path' | 'fromPath'>,
  directory: string,
): boolean {
  return [path, fromPath].some((each) => each !== null && isWithin(each, directory));
}

/** Removes duplicates: new changes shift the others, so a change may be on two pages. */
export function withoutDuplicates(items: readonly ActivityItem[]): readonly ActivityItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function isKnown(eventType: string): eventType is keyof typeof KINDS {
  return Object.hasOwn(KINDS, eventType);
}
