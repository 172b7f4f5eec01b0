import type { QueryKey } from '@tanstack/react-query';
import type { FileEventRecord } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { isWithin, parentOf } from '../../common/drive-paths.ts';

/** What a change in the drive says, as far as the page has to know. */
export type FileEvent = Pick<FileEventRecord, 'eventType' | 'fileId' | 'fromPath' | 'toPath'> & {
  readonly payload?: Pick<FileEventRecord['payload'], 'directory'>;
};

/** What is no longer as the page has it. */
export interface Touched {
  readonly keys: readonly QueryKey[];
  /** Directories all of whose listings, and of what is below them, are in question. */
  readonly trees: readonly string[];
  /** Whether the bytes that count against the quota are others now. */
  readonly usage: boolean;
}

/** Which kept answers each type of event is about, besides the listings that its paths name. */
const LISTS: Readonly<Record<string, readonly QueryKey[]>> = {
  // A picture that has come is looked at by a task of its own, and a task's archive comes like anything else.
  CREATED: [KEYS.recent(), KEYS.search(), KEYS.tasks()],
  UPDATED: [KEYS.recent(), KEYS.search(), KEYS.tasks()],
  RENAMED: [KEYS.recent(), KEYS.search(), KEYS.shares()],
  MOVED: [KEYS.recent(), KEYS.search(), KEYS.shares()],
  DELETED: [KEYS.recent(), KEYS.search(), KEYS.bin(), KEYS.shares()],
  RESTORED: [KEYS.recent(), KEYS.search(), KEYS.bin(), KEYS.shares()],
  PURGED: [KEYS.bin()],
};

const CHANGES_USAGE = ['CREATED', 'DELETED', 'RESTORED'];

/** What an event has changed, undefined where it is of a kind that nobody knows: then it may be anything. */
export function touchedBy({ eventType, fileId, fromPath, toPath, payload }: FileEvent): Touched | undefined {
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

/** Whether the answer under a key is among what was touched. */
export function isTouched(key: QueryKey, { keys, trees }: Pick<Touched, 'keys' | 'trees'>): boolean {
  if (keys.some((touched) => touched.every((part, at) => key[at] === part))) return true;
  if (trees.length === 0) return false;
  const [area, path] = key;
  // Where something lies is part of what is known of it, and a directory above it may have moved.
  if (area === KEYS.entry(0)[0]) return true;
  return area === KEYS.entries()[0] && typeof path === 'string' && trees.some((tree) => isWithin(path, tree));
}
