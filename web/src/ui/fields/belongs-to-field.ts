/** Whether a key or clipboard event belongs to a text field or an open dialog. */
export function belongsToField({ target }: Event): boolean {
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null)
    return true;
  return document.querySelector('[aria-modal="true"]') !== null;
}
