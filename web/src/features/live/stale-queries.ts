import type { QueryKey } from '@tanstack/react-query';
import type { FileEventRecord } from '../../../../client/src/client.ts';
import type { DriveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { isWithin, parentOf } from '../../common/names/drive-paths.ts';

/** The parts of an event that the page needs. */
export type FileEvent = Pick<FileEventRecord, 'eventType' | 'fileId' | 'fromPath' | 'toPath'> & {
  readonly payload?: Pick<FileEventRecord['payload'], 'directory' | 'sender'>;
};

/** The queries that an event makes stale. */
export interface StaleQueries {
  readonly drive: DriveKey;
  readonly keys: readonly QueryKey[];
  /** Directories whose listings, and all listings below them, may have changed. */
  readonly trees: readonly string[];
  /** Whether the used storage may have changed. */
  readonly usage: boolean;
}

type ListName = 'recent' | 'timeline' | 'starred' | 'search' | 'bin' | 'shares' | 'tasks' | 'activity';

/** The cached lists that each event type affects, in addition to the listings of its paths. */
const LISTS: Readonly<Record<string, readonly ListName[]>> = {
  // Includes tasks: a new picture gets a metadata task, and a task's archive arrives like any other file.
  CREATED: ['recent', 'timeline', 'search', 'tasks', 'activity'],
  UPDATED: ['recent', 'timeline', 'starred', 'search', 'tasks', 'activity'],
  RENAMED: ['recent', 'timeline', 'starred', 'search', 'shares', 'activity'],
  MOVED: ['recent', 'timeline', 'starred', 'search', 'shares', 'activity'],
  DELETED: ['recent', 'timeline', 'starred', 'search', 'bin', 'shares', 'activity'],
  RESTORED: ['recent', 'timeline', 'starred', 'search', 'bin', 'shares', 'activity'],
  PURGED: ['bin', 'activity'],
};

/**
 * Events that may change the used storage. They include UPDATED, which does not say whether content or only
 * metadata has changed.
 */
const CHANGES_USAGE = ['CREATED', 'UPDATED', 'DELETED', 'RESTORED'];

/**
 * Finds the queries that an event makes stale; undefined for an unknown type, which may affect everything.
 * @param drive the drive whose stream had the event
 */
export function toStaleQueries(
  { eventType, fileId, fromPath, toPath, payload }: FileEvent,
  drive: DriveKey,
): StaleQueries | undefined {
  const lists = LISTS[eventType]?.map((name) => KEYS[name](drive));
  if (lists === undefined) return undefined;
  if (eventType === 'PURGED') return { drive, keys: lists, trees: [], usage: false };
  const paths = [fromPath, toPath].filter((path) => path !== null);
  return {
    drive,
    keys: [
      ...paths.map((path) => KEYS.entries(parentOf(path), drive)),
      ...(fileId === null ? [] : [KEYS.entry(fileId)]),
      ...lists,
    ],
    trees: payload?.directory === true && eventType !== 'UPDATED' ? paths : [],
    usage: CHANGES_USAGE.includes(eventType),
  };
}

/** The first parts of the keys of lists, which name their drive in the second part. */
const LIST_AREAS: readonly unknown[] = [...new Set(Object.values(LISTS).flat())].map(
  (name) => KEYS[name]()[0],
);

/**
 * Whether missed events of the drive may have made the query stale. The details of entries do not name their
 * drive. Everything else that names none is about the account, as is the stream of the personal drive.
 */
export function isOfDrive([area, second, third]: QueryKey, drive: DriveKey): boolean {
  if (area === KEYS.entries()[0]) return third === drive;
  if (LIST_AREAS.includes(area)) return second === drive;
  if (area === KEYS.contentSearch()[0]) return false;
  return drive === 'personal' || area === KEYS.entry(0)[0] || area === KEYS.address(0)[0];
}

/** Whether the query with this key is stale. */
export function isStale(key: QueryKey, { drive, keys, trees }: Omit<StaleQueries, 'usage'>): boolean {
  if (keys.some((stale) => stale.every((part, at) => key[at] === part))) return true;
  if (trees.length === 0) return false;
  const [area, path, inDrive] = key;
  // The details of an entry contain its path, which changes if a directory above it moves.
  if (area === KEYS.entry(0)[0]) return true;
  const isListing = area === KEYS.entries()[0] && inDrive === drive && typeof path === 'string';
  return isListing && trees.some((tree) => isWithin(path, tree));
}
