import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../api/stored.ts';
import type { SortKey } from '../../features/entries/grid/column.ts';
import { TILE_SIZES, type TileSize } from '../../features/entries/grid/entry-tiles.tsx';

/** The user's display settings on this device. */
export interface DisplaySettings {
  readonly view: 'list' | 'tiles';
  readonly tileSize: TileSize;
  /** Undefined for folders first, then by name. */
  readonly sort: SortKey | undefined;
  readonly order: 'asc' | 'desc';
}

const KEY = 'holdall.drive-look';
const SORTS: readonly unknown[] = ['name', 'size', 'modifiedAt', 'createdAt'] satisfies readonly SortKey[];

let current: DisplaySettings | undefined;
const listeners = new Set<() => void>();

export function useDisplaySettings(): DisplaySettings {
  return useSyncExternalStore(onSettingsChange, currentSettings);
}

export function changeDisplaySettings(change: Partial<DisplaySettings>): void {
  current = { ...currentSettings(), ...change };
  writeStored(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/**
 * Sorts by a key. Choosing the same key again reverses the order. Sizes and times start in descending order.
 */
export function sortBy(sort: SortKey | undefined): void {
  const settings = currentSettings();
  const first = sort === undefined || sort === 'name' ? 'asc' : 'desc';
  const isSame = settings.sort === sort;
  changeDisplaySettings({ sort, order: isSame ? (settings.order === 'asc' ? 'desc' : 'asc') : first });
}

function currentSettings(): DisplaySettings {
  current ??= readDisplaySettings(readStored(KEY));
  return current;
}

function onSettingsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stored value may come from an older client. */
function readDisplaySettings(text: string | undefined): DisplaySettings {
  const settings = parse(text);
  return {
    view: settings.view === 'tiles' ? 'tiles' : 'list',
    tileSize: TILE_SIZES.find((size) => size === settings.tileSize) ?? 'medium',
    // The cast is safe, because the list contains the value.
    sort: SORTS.includes(settings.sort) ? (settings.sort as SortKey) : undefined,
    order: settings.order === 'desc' ? 'desc' : 'asc',
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
