// Starts the command `holdall`. Plain JavaScript; the service's main.mjs explains why.
import { enableCompileCache } from '../../server/src/app/compile-cache.mjs';

enableCompileCache();

const { findNodeFault } = await import('../../server/src/app/process/node-version.ts');
const fault = findNodeFault(process.versions.node);
if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
} else if (process.argv.length === 3 && process.argv[2] === 'serve') {
  // Does the same as the command, but without loading the other commands.
  const { run } = await import('../../server/src/app/run.ts');
  await run();
} else {
  const { runHoldall } = await import('./run-holdall.ts');
  await runHoldall(process.argv.slice(2));
}
