/**
 * Copies a text to the clipboard. Returns false if the browser does not allow it.
 *
 * Without TLS (except on localhost), pages have no clipboard API. Then the text is put into a temporary
 * field, selected, and copied with the browser's copy command.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Not allowed, so the text is copied by command below.
  }
  return copyByHand(text);
}

function copyByHand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  Object.assign(field.style, { position: 'fixed', top: '0', opacity: '0' });
  // Placed next to the focused element, because an open dialog takes the focus back from outside elements.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
