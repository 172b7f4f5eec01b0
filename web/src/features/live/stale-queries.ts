import type { QueryKey } from '@tanstack/react-query';
import type { FileEventRecord } from '../../../../client/src/client.ts';
import { KEYS } from '../../api/keys.ts';
import { isWithin, parentOf } from '../../common/names/drive-paths.ts';

/** The parts of an event that the page needs. */
export type FileEvent = Pick<FileEventRecord, 'eventType' | 'fileId' | 'fromPath' | 'toPath'> & {
  readonly payload?: Pick<FileEventRecord['payload'], 'directory' | 'sender'>;
};

/** The queries that an event makes stale. */
export interface StaleQueries {
  readonly keys: readonly QueryKey[];
  /** Directories whose listings, and all listings below them, may have changed. */
  readonly trees: readonly string[];
  /** Whether the used storage may have changed. */
  readonly usage: boolean;
}

/** The cached queries that each event type affects, in addition to the listings of its paths. */
const LISTS: Readonly<Record<string, readonly QueryKey[]>> = {
  // Includes tasks: a new picture gets a metadata task, and a task's archive arrives like any other file.
  CREATED: [KEYS.recent(), KEYS.timeline(), KEYS.search(), KEYS.tasks(), KEYS.activity()],
  UPDATED: [KEYS.recent(), KEYS.timeline(), KEYS.starred(), KEYS.search(), KEYS.tasks(), KEYS.activity()],
  RENAMED: [KEYS.recent(), KEYS.timeline(), KEYS.starred(), KEYS.search(), KEYS.shares(), KEYS.activity()],
  MOVED: [KEYS.recent(), KEYS.timeline(), KEYS.starred(), KEYS.search(), KEYS.shares(), KEYS.activity()],
  DELETED: [KEYS.recent(), KEYS.timeline(), KEYS.starred(), KEYS.search(), KEYS.bin(), KEYS.shares(), KEYS.activity()],
  RESTORED: [KEYS.recent(), KEYS.timeline(), KEYS.starred(), KEYS.search(), KEYS.bin(), KEYS.shares(), KEYS.activity()],
  PURGED: [KEYS.bin(), KEYS.activity()],
};

/**
 * Events that may change the used storage. They include UPDATED, which does not say whether content or only
 * metadata has changed.
 */
const CHANGES_USAGE = ['CREATED', 'UPDATED', 'DELETED', 'RESTORED'];

/**
 * Finds the queries that an event makes stale; undefined for an unknown type, which may affect everything.
 */
export function toStaleQueries({
  eventType,
  fileId,
  fromPath,
  toPath,
  payload,
}: FileEvent): StaleQueries | undefined {
  const lists = LISTS[eventType];
  if (lists === undefined) return undefined;
  if (eventType === 'PURGED') return { keys: lists, trees: [], usage: false };
  const paths = [fromPath, toPath].filter((path) => path !== null);
  return {
    keys: [
      ...paths.map((path) => KEYS.entries(parentOf(path))),
      ...(fileId === null ? [] : [KEYS.entry(fileId)]),
      ...lists,
    ],
    trees: payload?.directory === true && eventType !== 'UPDATED' ? paths : [],
    usage: CHANGES_USAGE.includes(eventType),
  };
}

/** Whether the query with this key is stale. */
export function isStale(key: QueryKey, { keys, trees }: Pick<StaleQueries, 'keys' | 'trees'>): boolean {
  if (keys.some((stale) => stale.every((part, at) => key[at] === part))) return true;
  if (trees.length === 0) return false;
  const [area, path] = key;
  // The details of an entry contain its path, which changes if a directory above it moves.
  if (area === KEYS.entry(0)[0]) return true;
  return area === KEYS.entries()[0] && typeof path === 'string' && trees.some((tree) => isWithin(path, tree));
}
