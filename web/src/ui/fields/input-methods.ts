/**
 * Keeps keys of an input method from every handler of the page: its Enter confirms a word, and its Escape takes one
 * back. Safari sends the key after the word has ended, with the key code of an input method.
 */
export function leaveKeysToInputMethods(): void {
  const keep = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === INPUT_METHOD) event.stopImmediatePropagation();
  };
  // Before the handlers of elements, and of other parts that listen at the window.
  window.addEventListener('keydown', keep, { capture: true });
}

/** `KeyboardEvent.keyCode` of a key that an input method has taken. */
const INPUT_METHOD = 229;
