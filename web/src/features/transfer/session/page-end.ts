/**
 * Calls back when the page is closed or reloaded, but not if the browser keeps it and may show it again.
 * @returns a function that removes the listener
 */
export function whenPageEnds(act: () => void): () => void {
  const onHide = (event: PageTransitionEvent) => {
    if (!event.persisted) act();
  };
  window.addEventListener('pagehide', onHide);
  return () => window.removeEventListener('pagehide', onHide);
}
