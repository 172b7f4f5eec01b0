/**
 * Hides the keys of an input method from all handlers of the page. Its Enter confirms a word, and its Escape
 * takes one back. Safari sends the key after the word has ended, with the key code of an input method.
 */
export function leaveKeysToInputMethods(): void {
  const keep = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === INPUT_METHOD) event.stopImmediatePropagation();
  };
  // Captured before all handlers of elements and of the window.
  window.addEventListener('keydown', keep, { capture: true });
}

/** The `KeyboardEvent.keyCode` of a key that an input method has handled. */
const INPUT_METHOD = 229;
