// Starts the command `holdall`. Plain JavaScript, for the reasons that are given in the service's main.mjs.
import { enableCompileCache } from '../../server/src/app/compile-cache.mjs';

enableCompileCache();

const { findNodeFault } = await import('../../server/src/app/node-version.ts');
const fault = findNodeFault(process.versions.node);
if (fault === undefined) {
  const { runHoldall } = await import('./run-holdall.ts');
  await runHoldall(process.argv.slice(2));
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
