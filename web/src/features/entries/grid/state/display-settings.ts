import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../../../api/stored.ts';
import type { SortKey } from '../column.ts';

export const TILE_SIZES = ['small', 'medium', 'large'] as const;
export type TileSize = (typeof TILE_SIZES)[number];

/** The columns that can be shown after the name, in this order. */
export const COLUMNS = ['size', 'kind', 'modifiedAt', 'createdAt', 'changedBy'] as const;
export type ChosenColumn = (typeof COLUMNS)[number];

export const DEFAULT_COLUMNS: readonly ChosenColumn[] = ['size', 'modifiedAt'];

/** The user's display settings on this device. */
export interface DisplaySettings {
  readonly view: 'list' | 'tiles';
  readonly tileSize: TileSize;
  readonly columns: readonly ChosenColumn[];
  /** Undefined for folders first, then by name. */
  readonly sort: SortKey | undefined;
  readonly order: 'asc' | 'desc';
  /** Whether a click on a name only selects the entry. */
  readonly opensOnDoubleClick: boolean;
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
 * Sorts by a key; undefined means by name. Choosing the same key again reverses the order. Sizes and times start
 * in descending order.
 */
export function sortBy(sort: Exclude<SortKey, 'name'> | undefined): void {
  const settings = currentSettings();
  const isSame = sort === settings.sort || (sort === undefined && settings.sort === 'name');
  if (isSame) changeDisplaySettings({ order: settings.order === 'asc' ? 'desc' : 'asc' });
  else changeDisplaySettings({ sort, order: sort === undefined ? 'asc' : 'desc' });
}

/** Shows or hides a column. */
export function toggleColumn(column: ChosenColumn): void {
  const { columns } = currentSettings();
  changeDisplaySettings({
    columns: COLUMNS.filter((each) => columns.includes(each) !== (each === column)),
  });
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
  const { columns } = settings;
  return {
    view: settings.view === 'tiles' ? 'tiles' : 'list',
    tileSize: TILE_SIZES.find((size) => size === settings.tileSize) ?? 'medium',
    columns: Array.isArray(columns) ? COLUMNS.filter((each) => columns.includes(each)) : DEFAULT_COLUMNS,
    // The cast is safe, because the list contains the value.
    sort: SORTS.includes(settings.sort) ? (settings.sort as SortKey) : undefined,
    order: settings.order === 'desc' ? 'desc' : 'asc',
    opensOnDoubleClick: settings.opensOnDoubleClick === true,
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
