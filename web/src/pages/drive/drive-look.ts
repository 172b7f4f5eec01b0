import { useSyncExternalStore } from 'react';
import type { SortKey } from '../../api/contract.ts';

/** How somebody likes to see their folders, on this device. */
export interface DriveLook {
  readonly view: 'list' | 'tiles';
  /** Without one: folders first, then by name. */
  readonly sort: SortKey | undefined;
  readonly order: 'asc' | 'desc';
}

const KEY = 'holdall.drive-look';
const SORTS: readonly unknown[] = ['name', 'size', 'updatedAt', 'createdAt'] satisfies readonly SortKey[];

let current: DriveLook | undefined;
const listeners = new Set<() => void>();

export function useDriveLook(): DriveLook {
  return useSyncExternalStore(onLookChange, currentLook);
}

export function changeLook(change: Partial<DriveLook>): void {
  current = { ...currentLook(), ...change };
  localStorage.setItem(KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** By the same once more: the other way round. Of sizes and times one wants the largest and the newest first. */
export function sortBy(sort: SortKey | undefined): void {
  const look = currentLook();
  const first = sort === undefined || sort === 'name' ? 'asc' : 'desc';
  const isSame = look.sort === sort;
  changeLook({ sort, order: isSame ? (look.order === 'asc' ? 'desc' : 'asc') : first });
}

function currentLook(): DriveLook {
  current ??= readLook(localStorage.getItem(KEY));
  return current;
}

function onLookChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whatever is written there: older clients may have written something else. */
export function readLook(text: string | null): DriveLook {
  const look = parse(text);
  return {
    view: look.view === 'tiles' ? 'tiles' : 'list',
    // Found among them, so it is one.
    sort: SORTS.includes(look.sort) ? (look.sort as SortKey) : undefined,
    order: look.order === 'desc' ? 'desc' : 'asc',
  };
}

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
