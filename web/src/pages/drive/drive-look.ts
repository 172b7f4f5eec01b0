import { useSyncExternalStore } from 'react';
import type { SortKey } from '../../api/contract.ts';
import { readStored, writeStored } from '../../api/stored.ts';
import { TILE_SIZES, type TileSize } from '../../features/entries/grid/entry-tiles.tsx';

/** The user's display settings on this device. */
export interface DriveLook {
  readonly view: 'list' | 'tiles';
  readonly tileSize: TileSize;
  /** Without a sort key: folders first, then by name. */
  readonly sort: SortKey | undefined;
  readonly order: 'asc' | 'desc';
}

const KEY = 'holdall.drive-look';
const SORTS: readonly unknown[] = ['name', 'size', 'modifiedAt', 'createdAt'] satisfies readonly SortKey[];

let current: DriveLook | undefined;
const listeners = new Set<() => void>();

export function useDriveLook(): DriveLook {
  return useSyncExternalStore(onLookChange, currentLook);
}

export function changeLook(change: Partial<DriveLook>): void {
  current = { ...currentLook(), ...change };
  writeStored(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** The same key again reverses the order. Sizes and times start with the largest and the newest. */
export function sortBy(sort: SortKey | undefined): void {
  const look = currentLook();
  const first = sort === undefined || sort === 'name' ? 'asc' : 'desc';
  const isSame = look.sort === sort;
  changeLook({ sort, order: isSame ? (look.order === 'asc' ? 'desc' : 'asc') : first });
}

function currentLook(): DriveLook {
  current ??= readLook(readStored(KEY));
  return current;
}

function onLookChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stored value may come from an older client. */
export function readLook(text: string | undefined): DriveLook {
  const look = parse(text);
  return {
    view: look.view === 'tiles' ? 'tiles' : 'list',
    tileSize: TILE_SIZES.find((size) => size === look.tileSize) ?? 'medium',
    // It was found in the list, so it is one of its values.
    sort: SORTS.includes(look.sort) ? (look.sort as SortKey) : undefined,
    order: look.order === 'desc' ? 'desc' : 'asc',
  };
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
