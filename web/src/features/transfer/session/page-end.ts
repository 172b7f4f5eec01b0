/**
 * Calls back when the page is closed or reloaded, and not when it may be shown again.
 * @returns a function that removes the listener
 */
export function whenPageEnds(act: () => void): () => void {
  const onHide = (event: PageTransitionEvent) => {
    if (!event.persisted) act();
  };
  window.addEventListener('pagehide', onHide);
  return () => window.removeEventListener('pagehide', onHide);
}
