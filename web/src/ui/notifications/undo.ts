/** How the last change of the user is undone; undefined if there is none, or if it was undone. */
let last: (() => void) | undefined;

/** Remembers how the change that was just made is undone. */
export function setUndo(undo: () => void): void {
  last = undo;
}

/** Called when a change begins: undoing the change before it would be a surprise. */
export function clearLastUndo(): void {
  last = undefined;
}

/** The change can no longer be undone, or was undone by a button. */
export function clearUndo(undo: () => void): void {
  if (last === undo) last = undefined;
}

/** Undoes the last change. Returns whether there was one. */
export function undoLast(): boolean {
  const undo = last;
  last = undefined;
  undo?.();
  return undo !== undefined;
}
