/**
 * Puts a text where "paste" takes it from.
 * @throws where the browser does not let us
 */
export async function copyText(text: string): Promise<void> {
  // The clipboard is for secure contexts only. At home many a service has no certificate: there the old way has to do.
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  const focused = document.activeElement;
  // Inside of what has the focus: a dialog lets it go nowhere else.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('The browser did not copy it.');
}
