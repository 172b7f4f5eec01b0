const SCRIPT = '/service-worker.js';

/** Service workers need a secure context and a build: Vite's development server has none. */
export function hasServiceWorker(): boolean {
  return 'serviceWorker' in navigator && !import.meta.env.DEV;
}

/** Registers the service worker. Later calls return the same registration. @throws in some private windows */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(SCRIPT);
}
