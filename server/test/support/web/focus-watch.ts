/**
 * A script for every document: reports an error to the console when the focus is nowhere after the last
 * modal dialog was closed. Keyboards and screen readers would then start again at the top of the page.
 */
export const WATCH_FOCUS = `(() => {
  const DIALOG = '[role="dialog"][aria-modal="true"]';
  // Whatever takes the focus may appear with the next page.
  const MAX_FRAMES = 120;
  const nameOf = (dialog) =>
    document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent ??
    dialog.querySelector('h2, header')?.textContent ?? dialog.ariaLabel;
  const check = (name, frames) => {
    const { activeElement } = document;
    if ((activeElement ?? document.body) !== document.body || document.querySelector(DIALOG) !== null) return;
    if (frames === 0) console.error('The focus was lost when this dialog was closed: ' + name);
    else requestAnimationFrame(() => check(name, frames - 1));
  };
  const read = (node) => {
    if (!(node instanceof Element)) return;
    const dialog = node.matches(DIALOG) ? node : node.querySelector(DIALOG);
    if (dialog !== null) check(nameOf(dialog), MAX_FRAMES);
  };
  new MutationObserver((changes) => {
    for (const { removedNodes } of changes) removedNodes.forEach(read);
  }).observe(document, { childList: true, subtree: true });
})();`;
