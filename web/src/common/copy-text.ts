/**
 * Puts a text into the clipboard; false where the browser lets nobody.
 *
 * Without TLS, away from localhost, there is no clipboard for pages: then the text is selected in a field of its own and
 * copied as by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused: as by hand, below.
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
  // Beside what has the focus: a dialog takes it back from whatever lies outside.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
