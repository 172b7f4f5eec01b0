/** Keeps the screen on and asks before the user leaves the page, until the returned function is called. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  const take = async () => {
    if (isOver || document.visibilityState !== 'visible') return;
    // Some browsers do not support this, or not when the battery is low. The transfer continues without it.
    const wakeLock: WakeLock | undefined = navigator.wakeLock;
    lock = await wakeLock?.request('screen').catch(() => undefined);
    if (isOver) await lock?.release();
  };
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  // The browser releases the lock when the page is hidden, so it is requested again.
  document.addEventListener('visibilitychange', take);
  window.addEventListener('beforeunload', warn);
  void take();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', take);
    window.removeEventListener('beforeunload', warn);
    void lock?.release();
  };
}
