// Starts the service.
//
// Plain JavaScript on purpose: from the second start on, all TypeScript comes from the compile cache, and
// Node.js does not load its compiler for TypeScript (10 MB) at all.
import { enableCompileCache } from './app/compile-cache.mjs';

enableCompileCache();

// Everything else is loaded after this check: on an old Node.js the database's native part would end the
// process.
const { findNodeFault } = await import('./app/process/node-version.ts');
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  const { run } = await import('./app/run.ts');
  await run();
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
