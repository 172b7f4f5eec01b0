import type { RouterHistory } from '@tanstack/react-router';

/**
 * The layers above the page. Back closes them before it leaves the page. Previews are not included, because
 * they have their own address, so Back closes them anyway. The search field is a layer only if its close
 * button is shown.
 */
const LAYERS =
  '[role="dialog"]:not([data-has-address]), [role="menu"], search[data-open] [data-closes-layer]';
/**
 * On a touch screen, a selection is also a layer, because it is a mode in which a tap selects instead of
 * opening.
 */
const TOUCH_LAYERS = `${LAYERS}, [role="grid"][data-selecting]`;

/** The type is missing in TypeScript. Firefox and Safari do not support it. */
interface CloseWatcher extends EventTarget {
  destroy(): void;
}
type CloseWatcherClass = new () => CloseWatcher;

/**
 * Lets Back close the open dialog, drawer or menu instead of leaving the page, like Escape. On a phone, Back
 * is the gesture to leave whatever has just appeared.
 */
export function closeOnBack(history: RouterHistory): void {
  document.addEventListener('focusin', rememberDialog);
  const touch = window.matchMedia('(pointer: coarse)');
  const find = () => findLayer(touch.matches ? TOUCH_LAYERS : LAYERS);
  history.block({
    blockerFn: ({ action }) => {
      const layer = find();
      if (action !== 'BACK' || layer === undefined || isClosing(layer)) return false;
      // First lets the router go forward again. Otherwise the closing layer would change the wrong page's
      // address.
      window.addEventListener('popstate', () => closeLayer(find()), { once: true });
      return true;
    },
    enableBeforeUnload: false,
  });
  if (touch.matches) watchBackGesture(find);
}

/**
 * On the first page of an installed app, Back closes the app without an event. A close watcher gets the
 * gesture first.
 */
function watchBackGesture(find: () => HTMLElement | undefined): void {
  const { CloseWatcher } = window as { readonly CloseWatcher?: CloseWatcherClass };
  if (CloseWatcher === undefined) return;
  let watcher: CloseWatcher | undefined;
  const update = () => {
    const isOpen = find() !== undefined;
    if (isOpen && watcher === undefined) {
      watcher = new CloseWatcher();
      watcher.addEventListener('close', () => {
        watcher = undefined;
        closeLayer(find());
      });
    } else if (!isOpen) {
      watcher?.destroy();
      watcher = undefined;
    }
  };
  const attributeFilter = ['role', 'data-open', 'data-selecting'];
  new MutationObserver(update).observe(document.body, { subtree: true, childList: true, attributeFilter });
}

function findLayer(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].findLast((layer) => layer.checkVisibility());
}

/** The dialogs that have had the focus. */
const usedDialogs = new WeakSet<Element>();

function rememberDialog({ target }: FocusEvent): void {
  const dialog = target instanceof Element ? target.closest('[role="dialog"]') : null;
  if (dialog !== null) usedDialogs.add(dialog);
}

/** Whether a dialog is fading out. Such a dialog has lost the focus; a new one has not had it yet. */
function isClosing(layer: HTMLElement): boolean {
  const { activeElement, body } = document;
  if (!usedDialogs.has(layer) || activeElement === null || activeElement === body) return false;
  return !layer.contains(activeElement);
}

function closeLayer(layer: HTMLElement | undefined): void {
  if (layer === undefined) return;
  if (layer.matches('[data-closes-layer]')) {
    layer.click();
    return;
  }
  const { activeElement } = document;
  const target = activeElement !== null && layer.contains(activeElement) ? activeElement : layer;
  target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
}
