import type { KeyboardEvent } from 'react';
import { moveTo } from '../../../../ui/grid/grid-moves.ts';

/** The grid state that determines what a key does, and the actions of keys. */
interface KeyCommands {
  readonly active: number;
  /** The number of selected entries. */
  readonly count: number;
  readonly shape: {
    readonly total: number;
    readonly columns: number;
    readonly lines: number;
    readonly moveTo?: typeof moveTo;
  };
  readonly isTyping: () => boolean;
  readonly type: (letter: string) => void;
  readonly activate: (index: number) => void;
  readonly pick: (index: number, how: 'only' | 'toggle' | 'range') => void;
  readonly open: (index: number) => void;
  readonly openMenu: () => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  /** Handles a key that has a special meaning in this list. Returns whether it did. */
  readonly onKey: () => boolean;
}

/** Handles the keys of the grid. All other keys reach the rest of the page. */
export function handleKey(event: KeyboardEvent, grid: KeyCommands): void {
  if (isForAnother(event)) return;
  const stop = () => {
    event.preventDefault();
    event.stopPropagation();
  };
  if (grid.onKey()) {
    stop();
    return;
  }
  const run = event.altKey ? undefined : findKeyAction(event, grid);
  if (run === undefined) return;
  stop();
  run();
}

/** What a key does in the grid; undefined if the grid does not use it. */
function findKeyAction(event: KeyboardEvent, grid: KeyCommands): (() => void) | undefined {
  const { key, shiftKey } = event;
  const isControl = event.ctrlKey || event.metaKey;
  const { active, shape } = grid;
  if (isControl && key.toLowerCase() === 'a') return shape.total > 0 ? grid.selectAll : () => undefined;
  const to = (shape.moveTo ?? moveTo)(key, active, shape);
  if (to !== undefined) {
    if (shiftKey) return () => grid.pick(to, 'range');
    return () => (isControl ? grid.activate(to) : grid.pick(to, 'only'));
  }
  if (key === 'ContextMenu' || (shiftKey && key === 'F10')) return grid.openMenu;
  if (key === 'Enter' && active >= 0) return () => grid.open(active);
  if (key === ' ' && active >= 0 && !grid.isTyping()) return () => grid.pick(active, 'toggle');
  if (key === 'Escape' && grid.count > 0) return grid.clear;
  if (!isControl && key.length === 1 && shape.total > 0) return () => grid.type(key);
  return undefined;
}

/** Whether the key belongs to a field or a focused button in the grid. */
function isForAnother({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input:not([type="checkbox"])') !== null) return true;
  return target.closest('button, [type="checkbox"]') !== null && (key === 'Enter' || key === ' ');
}
