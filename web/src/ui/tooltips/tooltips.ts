import styles from './tooltips.module.css';

// One tooltip for all buttons of the page with `data-tooltip`. It repeats their accessible name, or a part of
// it, so screen readers do not see it.

const DELAY_MS = 500;
const GAP_PX = 6;
const MARGIN_PX = 8;
/** Zooming must not close the tooltip. */
const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'];

let timer: ReturnType<typeof setTimeout> | undefined;
/** The button whose tooltip is shown, soon will be, or was dismissed. */
let button: HTMLElement | undefined;
let tooltip: HTMLElement | undefined;

/** Shows tooltips from now on: when the mouse rests on a button, and when the keyboard focuses it. */
export function startTooltips(): void {
  const options = { capture: true, passive: true };
  document.addEventListener('pointerover', onPointer, options);
  document.addEventListener('focusin', onFocusIn, options);
  document.addEventListener('focusout', ({ target }) => target === button && change(undefined), options);
  document.addEventListener('pointerdown', dismiss, options);
  document.addEventListener('scroll', dismiss, options);
  document.addEventListener('keydown', ({ key }) => MODIFIERS.includes(key) || dismiss(), options);
  document.documentElement.addEventListener('pointerleave', () => change(undefined));
}

function onPointer(event: PointerEvent): void {
  const { target, pointerType } = event;
  // A finger covers the button, and a long press opens menus.
  if (pointerType === 'touch' || !(target instanceof Element) || isOverTooltip(event)) return;
  const next = target.closest<HTMLElement>('[data-tooltip]') ?? undefined;
  if (next !== undefined || button?.matches(':focus-visible') !== true) change(next);
}

/** Whether the pointer is on the tooltip or on its way there, perhaps to read it in a magnified page. */
function isOverTooltip({ clientX: x, clientY: y }: PointerEvent): boolean {
  if (tooltip === undefined) return false;
  const { left, right, top, bottom } = tooltip.getBoundingClientRect();
  return x >= left && x <= right && y >= top - GAP_PX && y <= bottom + GAP_PX;
}

function onFocusIn({ target }: FocusEvent): void {
  if (target instanceof HTMLElement && target.matches('[data-tooltip]:focus-visible')) change(target);
}

function change(next: HTMLElement | undefined): void {
  if (next === button) return;
  // From one tooltip to the next there is no delay.
  const delay = tooltip === undefined ? DELAY_MS : 0;
  dismiss();
  button = next;
  if (next !== undefined) timer = setTimeout(() => show(next), delay);
}

function dismiss(): void {
  clearTimeout(timer);
  document.removeEventListener('pointermove', onPointer);
  tooltip?.remove();
  tooltip = undefined;
}

function show(target: HTMLElement): void {
  const text = target.dataset.tooltip;
  // The button may be gone by now.
  if (text === undefined || !target.isConnected) return;
  tooltip = document.createElement('div');
  tooltip.className = styles.tooltip ?? '';
  tooltip.textContent = text;
  tooltip.ariaHidden = 'true';
  // The top layer is above all dialogs.
  tooltip.popover = 'manual';
  document.body.append(tooltip);
  tooltip.showPopover();
  place(tooltip, target.getBoundingClientRect());
  document.addEventListener('pointermove', onPointer, { passive: true });
}

/** Below the button, or above it if there is no room. */
function place(element: HTMLElement, { left, width, top, bottom }: DOMRect): void {
  const { offsetWidth, offsetHeight } = element;
  const most = document.documentElement.clientWidth - offsetWidth - MARGIN_PX;
  const x = Math.max(MARGIN_PX, Math.min(left + (width - offsetWidth) / 2, most));
  const below = bottom + GAP_PX;
  const isRoomBelow = below + offsetHeight <= window.innerHeight;
  element.style.left = `${x}px`;
  element.style.top = `${isRoomBelow ? below : top - GAP_PX - offsetHeight}px`;
}
