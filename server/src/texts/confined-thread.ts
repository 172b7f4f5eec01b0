import { syncBuiltinESMExports } from 'node:module';

/** What libraries have no reason to use: the network. */
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/**
 * Takes away from a thread what its process cannot take away. A new thread could choose other permissions, so
 * it must not start any. Modules for the network remain.
 */
export function confineThread(): void {
  for (const name of GLOBALS) Object.defineProperty(globalThis, name, { value: undefined });
  Object.defineProperty(process.getBuiltinModule('node:worker_threads'), 'Worker', { value: undefined });
  // For modules that use `import`.
  syncBuiltinESMExports();
}
