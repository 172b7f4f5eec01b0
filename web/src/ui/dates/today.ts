import { useSyncExternalStore } from 'react';

/** The start of the current day here. All dates of the page share this clock. */
let today = startOfDay();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The start of the current day. Changes at midnight, also if the device slept through it. */
export function useToday(): number {
  return useSyncExternalStore(onDayChange, () => today);
}

function onDayChange(listener: () => void): () => void {
  if (listeners.size === 0) start();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function start(): void {
  update();
  window.addEventListener('focus', update);
  document.addEventListener('visibilitychange', update);
}

function stop(): void {
  clearTimeout(timer);
  window.removeEventListener('focus', update);
  document.removeEventListener('visibilitychange', update);
}

function update(): void {
  clearTimeout(timer);
  timer = setTimeout(update, new Date().setHours(24, 0, 0, 0) - Date.now());
  const day = startOfDay();
  if (day === today) return;
  today = day;
  for (const listener of listeners) listener();
}

function startOfDay(): number {
  return new Date().setHours(0, 0, 0, 0);
}
