import type { RouterHistory } from '@tanstack/react-router';

/**
 * The layers above the page that Back closes before it leaves the page. A preview has its own address, so
 * Back closes it anyway. The search field is a layer only where its close button is shown.
 */
const LAYERS =
  '[role="dialog"]:not([data-has-address]), [role="menu"], search[data-open] [data-closes-layer]';
/**
 * A selection is a layer only on a touch screen: there it is a mode in which a tap selects instead of
 * opening.
 */
const TOUCH_LAYERS = `${LAYERS}, [role="grid"][data-selecting]`;

/** The type is missing in TypeScript. Firefox and Safari do not support it. */
interface CloseWatcher extends EventTarget {
  destroy(): void;
}
type CloseWatcherClass = new () => CloseWatcher;

/**
 * Back closes the dialog, the drawer or the menu that is open, like Escape does, and the page stays. On a
 * phone, Back is the gesture to leave whatever has just appeared.
 */
export function closeOnBack(history: RouterHistory): void {
  document.addEventListener('focusin', rememberDialog);
  const touch = window.matchMedia('(pointer: coarse)');
  const find = () => findLayer(touch.matches ? TOUCH_LAYERS : LAYERS);
  history.block({
    blockerFn: ({ action }) => {
      const layer = find();
      if (action !== 'BACK' || layer === undefined || isClosing(layer)) return false;
      // The router goes forward again first: otherwise the closing layer would change the address of the
      // wrong page.
      window.addEventListener('popstate', () => closeLayer(find()), { once: true });
      return true;
    },
    enableBeforeUnload: false,
  });
  if (touch.matches) watchBackGesture(find);
}

/**
 * On the first page of an installed app, Back ends the app without an event for the page. Browsers ask a
 * close watcher first.
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

/** A dialog that is fading out no longer has the focus; one that has just appeared does not have it yet. */
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
