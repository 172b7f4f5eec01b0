import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The options of Node.js for a process that a file may take over. It reads only our own code and libraries,
 * writes no files and starts no processes. It loads no native code unless `hasNativeCode` allows it; these rules
 * do not bind native code. Node.js 24 cannot disallow network access. Nor can it limit new threads, see
 * {@link confineThread}. The process does not use the compile cache, because a file that writes to it would run
 * code in the service.
 */
export function confinementOf({ hasNativeCode = false } = {}): readonly string[] {
  // `server/src` or `server/dist`.
  const code = path.dirname(import.meta.dirname);
  const library = path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
  const readable = [
    code,
    path.dirname(library),
    // They say that our code consists of modules.
    path.join(code, '..', 'package.json'),
    path.join(code, '..', '..', 'package.json'),
  ];
  return [
    '--permission',
    '--allow-worker',
    ...(hasNativeCode ? ['--allow-addons'] : []),
    ...readable.map((each) => `--allow-fs-read=${each}`),
    // With this the kernel prefers to end the process when memory runs out.
    '--allow-fs-write=/proc/self/oom_score_adj',
    // The libraries need no `eval`.
    '--disallow-code-generation-from-strings',
  ];
}

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
