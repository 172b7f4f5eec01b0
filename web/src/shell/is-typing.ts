/** Fields of the page and of open dialogs, except the search field of the frame. */
const FIELDS = 'main, [role="dialog"]';

/** Whether a field may contain text that the user would lose with the page. */
export function isTyping(): boolean {
  return [...document.querySelectorAll<HTMLElement>(FIELDS)].some((part) =>
    [...part.querySelectorAll<HTMLElement>('textarea, input, [contenteditable="true"]')].some(hasText),
  );
}

function hasText(field: HTMLElement): boolean {
  if (field instanceof HTMLInputElement) return isTextInput(field) && field.value.trim() !== '';
  if (field instanceof HTMLTextAreaElement) return field.value.trim() !== '';
  return field.textContent.trim() !== '';
}

function isTextInput({ type, readOnly }: HTMLInputElement): boolean {
  return !readOnly && ['text', 'search', 'email', 'url', 'password', 'number'].includes(type);
}
