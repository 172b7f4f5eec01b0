import type { RecentRecord } from '../../../../client/src/client.ts';
import { commonFolder } from '../../common/names/drive-paths.ts';

/** Recent files that arrived or changed together. */
export interface RecentGroup {
  /** The id of the newest file. It stays the same while the group grows at its end. */
  readonly id: number;
  readonly entries: readonly RecentRecord[];
  /** The folder that contains all of them. */
  readonly folder: string;
  /** When the newest file arrived. */
  readonly at: string;
  /** The folder link through which all files arrived; null if the owner uploaded them. */
  readonly receivedThrough: RecentRecord['receivedThrough'];
}

/** Files further apart than this belong to different uploads. */
const APART_MS = 5 * 60_000;
/**
 * An update within this time after creation does not count, because thumbnail and metadata are added then.
 */
const NEW_MS = 2 * 60_000;

/**
 * Groups files that are sorted by their last update. Neighbours belong together if they were created soon
 * after each other. An older file that has changed forms its own group.
 */
export function groupUploads(entries: readonly RecentRecord[]): readonly RecentGroup[] {
  const groups: RecentRecord[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group !== undefined && before !== undefined && areTogether(before, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => ({
    id: group[0]?.id ?? 0,
    entries: group,
    folder: group.map(({ parentPath }) => parentPath).reduce(commonFolder),
    at: group[0]?.updatedAt ?? '',
    receivedThrough: group[0]?.receivedThrough ?? null,
  }));
}

function areTogether(one: RecentRecord, other: RecentRecord): boolean {
  if (!isNew(one) || !isNew(other) || topFolderOf(one) !== topFolderOf(other)) return false;
  if (senderKeyOf(one) !== senderKeyOf(other)) return false;
  return Math.abs(Date.parse(one.createdAt) - Date.parse(other.createdAt)) <= APART_MS;
}

/** Distinguishes uploads of different senders, which are never grouped. */
function senderKeyOf({ receivedThrough }: RecentRecord): string {
  return JSON.stringify(receivedThrough);
}

/** The top-level folder. Files in different ones are never grouped. */
function topFolderOf({ parentPath }: RecentRecord): string | undefined {
  return parentPath.split('/')[1];
}

function isNew({ createdAt, updatedAt }: RecentRecord): boolean {
  return Date.parse(updatedAt) - Date.parse(createdAt) <= NEW_MS;
}
