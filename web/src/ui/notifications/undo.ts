/** Undoes the user's last change; undefined if there is none or it was already undone. */
let last: (() => void) | undefined;

/** Remembers how to undo the change that was just made. */
export function setUndo(undo: () => void): void {
  last = undo;
}

/** Called when a change begins, because undoing an earlier change would surprise the user. */
export function clearLastUndo(): void {
  last = undefined;
}

/** Called when a change can no longer be undone, or was undone with a button. */
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
