/** Whether keys and the clipboard belong to a field in which the user types, or to an open dialog. */
export function belongsToField({ target }: Event): boolean {
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null)
    return true;
  return document.querySelector('[aria-modal="true"]') !== null;
}
