// Starts the service.
//
// Plain JavaScript on purpose. From the second start on, all TypeScript comes from the compile cache. So
// Node.js never loads its TypeScript compiler, which takes 10 MB.
import { enableCompileCache } from './app/compile-cache.mjs';

enableCompileCache();

// Everything else is loaded after this check, because on an old Node.js the database's native part would
// crash the process.
const { findNodeFault } = await import('./app/process/node-version.ts');
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  const { run } = await import('./app/run.ts');
  await run();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
