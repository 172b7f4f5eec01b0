/** Keeps the screen on, and asks before the page is left, until the returned function is called. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | undefined;
  let isOver = false;
  const take = async () => {
    if (isOver || document.visibilityState !== 'visible') return;
    // Some browsers do not support this, or refuse it when the battery is low. The transfer goes on without
    // it.
    const wakeLock: WakeLock | undefined = navigator.wakeLock;
    lock = await wakeLock?.request('screen').catch(() => undefined);
    if (isOver) await lock?.release();
  };
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  // The lock ends when the page is hidden.
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
