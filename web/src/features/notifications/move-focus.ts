import type { KeyboardEvent } from 'react';

/** From the number of links and the focused one (-1: none) to the one that gets the focus. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Moves the focus between the links of a list with the arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const move = MOVES[event.key];
  if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('li a')];
  // The focus may be on a button of an item.
  const item = document.activeElement?.closest('li') ?? null;
  const at = links.findIndex((link) => item?.contains(link));
  event.preventDefault();
  links[move(at, links.length)]?.focus();
}
